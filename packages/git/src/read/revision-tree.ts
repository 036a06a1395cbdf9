/** The files of one revision, read from the mirror without a working tree. */
import type { LRUCache } from 'lru-cache';
import { readBlobs, type FileContent } from './blobs.ts';
import type { Mirror } from '../mirror/mirror.ts';

export interface RevisionTree {
  listFiles(): Promise<readonly TreeFile[]>;
  /** Contents by path; missing paths and submodules are absent. */
  readFiles(paths: readonly string[]): Promise<ReadonlyMap<string, FileContent>>;
}

export interface TreeFile {
  /** Relative to the repository's top. Hostile: any characters but NUL. */
  readonly path: string;
  /** The blob's id, 40 hex digits: the same content has the same id, in every revision and repository. */
  readonly blob: string;
  /** `link` is a symbolic link, whose content is its target; `submodule` has no content. */
  readonly kind: 'file' | 'link' | 'submodule';
}

export interface TreeCaches {
  /** By revision. */
  readonly listings: LRUCache<string, readonly TreeFile[]>;
  /** By blob. */
  readonly contents: LRUCache<string, FileContent>;
}

export interface TreeSource {
  readonly mirror: Mirror;
  readonly sha: string;
  readonly caches: TreeCaches;
  readonly signal: AbortSignal | undefined;
}

export async function listTreeFiles({ mirror, sha, caches, signal }: TreeSource): Promise<readonly TreeFile[]> {
  const cached = caches.listings.get(sha);
  if (cached) return cached;
  const args = ['-r', '-z', '--full-tree', sha];
  const { stdout } = await mirror.use([sha], signal, async () => mirror.read({ verb: 'ls-tree', args, signal }));
  const files = parseListing(stdout.toString());
  caches.listings.set(sha, files);
  return files;
}

export async function readTreeFiles(
  source: TreeSource,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileContent>> {
  const wanted = new Set(paths);
  const files = (await listTreeFiles(source)).filter(({ path, kind }) => wanted.has(path) && kind !== 'submodule');
  const contents = await contentsOf(source, [...new Set(files.map((file) => file.blob))]);
  return new Map(
    files.flatMap(({ path, blob }) => {
      const content = contents.get(blob);
      return content ? [[path, content]] : [];
    }),
  );
}

async function contentsOf(
  { mirror, sha, caches, signal }: TreeSource,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, FileContent>> {
  const contents = new Map<string, FileContent>();
  for (const blob of blobs) {
    const cached = caches.contents.get(blob);
    if (cached) contents.set(blob, cached);
  }
  const unread = blobs.filter((blob) => !contents.has(blob));
  if (unread.length === 0) return contents;

  const read = await mirror.use([sha], signal, async () => readBlobs(mirror, unread, signal));
  for (const [blob, content] of read) {
    contents.set(blob, content);
    caches.contents.set(blob, content);
  }
  return contents;
}

/** Parses repetitions of `<mode> <type> <id>\t<path>\0`. */
function parseListing(output: string): readonly TreeFile[] {
  const files: TreeFile[] = [];
  let at = 0;
  for (let end = output.indexOf('\0'); end !== -1; end = output.indexOf('\0', at)) {
    const tab = output.indexOf('\t', at);
    files.push({
      path: output.slice(tab + 1, end),
      blob: output.slice(tab - 40, tab),
      kind: kindOf(output.slice(at, at + 3)),
    });
    at = end + 1;
  }
  return files;
}

/** The first digits of a mode: 100644 and 100755, 120000, 160000. */
function kindOf(mode: string): TreeFile['kind'] {
  if (mode === '120') return 'link';
  return mode === '160' ? 'submodule' : 'file';
}
