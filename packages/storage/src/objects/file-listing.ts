import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './file-failure.ts';
import { isSegment } from './object-key.ts';
import type { ListOptions } from './object-store.ts';

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
