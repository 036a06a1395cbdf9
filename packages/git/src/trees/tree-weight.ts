/**
 * What a revision takes on the disk once it is checked out. A few kilobytes of git can hold one content of many names, or a
 * content that packs to a thousandth, so it is known before anything is written.
 */
import { basename } from 'node:path';
import { RevisionTooLargeError } from '../errors.ts';
import type { Mirror, TreeWeight } from '../mirror/mirror.ts';
import type { LfsContent } from '../read/absent-contents.ts';
import { fetchContents, readSizedBlobs } from '../read/blobs.ts';
import type { TreeFile } from '../read/revision-tree.ts';

export interface TreeLimit {
  readonly bytes: number;
  /** The name of the setting that holds it. */
  readonly setting: string;
}

/** File systems give each file and each directory at least one block. */
const BLOCK_BYTES = 4_096;

/** Linux's limits, for one name and for what a link leads to. Git fails at longer ones in the middle of a check-out. */
const NAME_LIMIT_BYTES = 255;

const TARGET_LIMIT_BYTES = 4_095;

/** Half of Linux's limit for a whole path: the other half leads to the tree, and into what a root makes there. */
const PATH_LIMIT_BYTES = 2_048;

/** Brings the contents of the revision. */
export function weighRevision(
  mirror: Mirror,
  { sha, files }: { readonly sha: string; readonly files: readonly TreeFile[] },
  signal: AbortSignal | undefined,
): Promise<TreeWeight> {
  return mirror.complete(sha, async () => {
    const sizes = await fetchContents(mirror, { sha, files }, signal);
    return weighTree(files, sizes, (await hasLongerLines(mirror, { files, sizes }, signal)) ? 2 : 1);
  });
}

/**
 * Whether git may end lines by two characters instead of one. Other attributes of a repository change no size (`ATTRIBUTES`
 * of a mirror).
 */
async function hasLongerLines(
  mirror: Mirror,
  { files, sizes }: { readonly files: readonly TreeFile[]; readonly sizes: ReadonlyMap<string, number> },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const attributes = files.filter(({ path, kind }) => kind !== 'submodule' && basename(path) === '.gitattributes');
  const contents = await readSizedBlobs(mirror, [...new Set(attributes.map(({ blob }) => blob))], sizes, signal);
  return [...contents.values()].some((content) => content.kind !== 'text' || content.text.includes('eol=crlf'));
}

/** The same with files of which only pointers are there. */
export function withLfs(weight: TreeWeight, contents: readonly LfsContent[]): TreeWeight {
  const blocks = contents.reduce((sum, { object }) => sum + Math.ceil((object?.bytes ?? 0) / BLOCK_BYTES), 0);
  return { ...weight, bytes: weight.bytes + blocks * BLOCK_BYTES };
}

/** `sizes` by blob; a file may be `growth` times as long. Throws a `RevisionTooLargeError` for names that no disk could hold. */
function weighTree(files: readonly TreeFile[], sizes: ReadonlyMap<string, number>, growth: 1 | 2): TreeWeight {
  let blocks = 0;
  let directories = 0;
  let last = '';
  for (const { path, blob, kind } of files) {
    const bytes = sizes.get(blob) ?? 0;
    assertNamed(path, kind === 'link' ? bytes : 0);
    directories += newDirectories(path, last);
    blocks += Math.max(1, Math.ceil((kind === 'file' ? bytes * growth : bytes) / BLOCK_BYTES));
    last = path;
  }
  return { bytes: (blocks + directories) * BLOCK_BYTES, files: files.length, directories };
}

/** Throws a `RevisionTooLargeError`. */
export function assertFits({ bytes, files, directories }: TreeWeight, limit: TreeLimit): void {
  if (bytes <= limit.bytes) return;
  throw new RevisionTooLargeError(
    `a working tree of at most ${limit.bytes} bytes (${limit.setting})`,
    `${bytes} bytes in ${files} files and ${directories} directories`,
    `remove the largest files, or have the operators raise ${limit.setting}`,
  );
}

function assertNamed(path: string, targetBytes: number): void {
  const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
  if (longest > NAME_LIMIT_BYTES) throw unnameable(path, `names of at most ${NAME_LIMIT_BYTES} bytes`, longest);
  const whole = Buffer.byteLength(path);
  if (whole > PATH_LIMIT_BYTES) throw unnameable(path, `paths of at most ${PATH_LIMIT_BYTES} bytes`, whole);
  if (targetBytes > TARGET_LIMIT_BYTES)
    throw unnameable(path, `symbolic links to at most ${TARGET_LIMIT_BYTES} bytes`, targetBytes);
}

function unnameable(path: string, expected: string, bytes: number): RevisionTooLargeError {
  const start = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  return new RevisionTooLargeError(expected, `${bytes} bytes at ${JSON.stringify(start)}`, 'rename or remove it');
}

/** Of a path that is too long to show. */
const SHOWN = 100;

/** The directories of a path that the one before it, in git's order, is not in. */
function newDirectories(path: string, last: string): number {
  let count = 0;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    if (!last.startsWith(path.slice(0, slash + 1))) count += 1;
  return count;
}
