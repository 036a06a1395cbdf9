import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './file-failure.ts';
import { isSegment } from '../object-key.ts';
import type { ListOptions, StampedKey } from '../object-store.ts';

/** The keys below `prefix`, in the order of S3: by character, and the `/` of a folder counts as one. */
export async function* listFiles(top: string, prefix: string, options: ListOptions): AsyncGenerator<string> {
  const { after = '', limit = Infinity } = options;
  let left = limit;
  if (left <= 0) return;
  for await (const key of walk(top, prefix, after)) {
    yield key;
    left -= 1;
    if (left <= 0) return;
  }
}

/** So many files are looked at together: one after the other, the stamps of 5,000 would take a third of a second. */
const STAMPED_AT_ONCE = 64;

/** As `listFiles`, with stamps from what the folder says of each file: no content is read. */
export async function* listStampedFiles(
  top: string,
  prefix: string,
  { after, limit = Infinity }: ListOptions,
): AsyncGenerator<StampedKey> {
  let left = limit;
  let keys: string[] = [];
  async function* stamped() {
    const found = await Promise.all(keys.map((key) => stampedAt(top, key)));
    keys = [];
    for (const one of found) if (one !== undefined && left-- > 0) yield one;
  }
  if (left <= 0) return;
  for await (const key of listFiles(top, prefix, after === undefined ? {} : { after })) {
    keys.push(key);
    if (keys.length < Math.min(STAMPED_AT_ONCE, left)) continue;
    yield* stamped();
    if (left <= 0) return;
  }
  yield* stamped();
}

/** Every write makes a new file. Undefined when the file went after it was listed. */
async function stampedAt(top: string, key: string): Promise<StampedKey | undefined> {
  try {
    const { size, mtimeNs, mtimeMs, ino } = await stat(join(top, key), { bigint: true });
    const stamp = [size, mtimeNs, ino].map((part) => part.toString(36)).join('-');
    return { key, stamp, writtenMs: Number(mtimeMs) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function* walk(top: string, prefix: string, after: string): AsyncGenerator<string> {
  for (const entry of sorted(await entriesOf(join(top, prefix)))) {
    const key = `${prefix}${entry}`;
    if (!entry.endsWith('/')) {
      if (key > after) yield key;
    } else if (key > after || after.startsWith(key)) {
      yield* walk(top, key, after);
    }
  }
}

/** Objects and folders, folders with a `/` at the end; names that no key can have are left out. */
function sorted(entries: readonly Dirent[]): string[] {
  const names = entries.filter((entry) => isSegment(entry.name));
  return names.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort(byCharacters);
}

function byCharacters(a: string, b: string): number {
  return a < b ? -1 : 1;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
