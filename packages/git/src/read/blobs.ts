/** The contents of blobs, fetched in one go where the mirror lacks them. */
import { asLines } from '../command/git-commands.ts';
import { BlobsMissingError, RevisionTooLargeError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { TreeFile } from './revision-tree.ts';

export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  /** Above `FILE_LIMIT_BYTES`: not read. */
  | { readonly kind: 'too-large'; readonly sizeBytes: number };

/** Handwritten configuration takes a hundredth of this. */
export const FILE_LIMIT_BYTES = 1024 * 1024;

/** Contents that are read at once: 20,000 files of 3 KB each. */
export const CONTENTS_LIMIT_BYTES = 64 * 1024 * 1024;

/** Fetches the blobs that the mirror lacks, all in one go. Returns the sizes of all blobs. */
export async function fetchMissingBlobs(
  mirror: Mirror,
  blobs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
  const sizes = await sizesOf(mirror, blobs, signal);
  const missing = blobs.filter((blob) => !sizes.has(blob));
  if (missing.length === 0) return sizes;
  await mirror.fetchObjects(missing, signal);
  return new Map([...sizes, ...(await sizesOf(mirror, missing, signal))]);
}

/** Fetches the contents of a revision that the mirror lacks. Returns their sizes by blob. */
export async function fetchContents(
  mirror: Mirror,
  { sha, files }: { readonly sha: string; readonly files: readonly TreeFile[] },
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
  return mirror.sizesOf(sha, () => {
    const blobs = new Set(files.filter(({ kind }) => kind !== 'submodule').map(({ blob }) => blob));
    return fetchMissingBlobs(mirror, [...blobs], signal);
  });
}

/** Contents by blob id; reaches no server. Blobs that are too large are not read. Throws `BlobsMissingError`. */
export async function readBlobs(
  mirror: Mirror,
  blobs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileContent>> {
  const sizes = await sizesOf(mirror, blobs, signal);
  const missing = blobs.filter((blob) => !sizes.has(blob));
  if (missing.length > 0) throw new BlobsMissingError(missing);
  return readSizedBlobs(mirror, blobs, sizes, signal);
}

/** The same of blobs that the mirror has, with their sizes. */
export async function readSizedBlobs(
  mirror: Mirror,
  blobs: readonly string[],
  sizes: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileContent>> {
  const contents = new Map<string, FileContent>();
  for (const blob of blobs) {
    const sizeBytes = sizes.get(blob) ?? 0;
    if (sizeBytes > FILE_LIMIT_BYTES) contents.set(blob, { kind: 'too-large', sizeBytes });
  }
  const small = blobs.filter((blob) => !contents.has(blob));
  if (small.length === 0) return contents;
  assertReadable(small.reduce((sum, blob) => sum + (sizes.get(blob) ?? 0), 0));
  const { stdout } = await catFile(mirror, '--batch=%(objectname) %(objectsize)', small, signal);
  for (const [blob, text] of parseBatch(stdout)) contents.set(blob, { kind: 'text', text });
  return contents;
}

function assertReadable(bytes: number): void {
  if (bytes <= CONTENTS_LIMIT_BYTES) return;
  throw new RevisionTooLargeError(
    `Terraform files and symbolic links of at most ${CONTENTS_LIMIT_BYTES} bytes in all`,
    `${bytes} bytes`,
    'split the repository, or give every root a when_modified and turn autodiscovery off, so that they are not read',
  );
}

async function sizesOf(
  mirror: Mirror,
  blobs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (blobs.length === 0) return new Map();
  const { stdout } = await catFile(mirror, '--batch-check=%(objectname) %(objectsize)', blobs, signal);
  const answers = stdout.toString().split('\n').slice(0, -1);
  return new Map(
    answers.flatMap((answer) => {
      const [blob = '', size = ''] = answer.split(' ');
      return size === 'missing' ? [] : [[blob, Number(size)]];
    }),
  );
}

async function catFile(mirror: Mirror, mode: string, blobs: readonly string[], signal: AbortSignal | undefined) {
  return mirror.read({ verb: 'cat-file', args: ['--buffer', mode], input: asLines(blobs), signal });
}

/** Parses repetitions of `<id> <size>\n<content>\n`. */
function* parseBatch(output: Buffer): Generator<readonly [string, string]> {
  let at = 0;
  while (at < output.length) {
    const lineEnd = output.indexOf('\n', at);
    const [blob = '', size = '0'] = output.toString('latin1', at, lineEnd).split(' ');
    if (size === 'missing') throw new BlobsMissingError([blob]);
    const end = lineEnd + 1 + Number(size);
    yield [blob, output.toString('utf8', lineEnd + 1, end)];
    at = end + 1;
  }
}
