/** The contents of blobs, fetched in one go where the mirror lacks them. */
import { asLines } from '../command/git-commands.ts';
import type { Mirror } from '../mirror/mirror.ts';

export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  /** Above `FILE_LIMIT_BYTES`: not read. */
  | { readonly kind: 'too-large'; readonly sizeBytes: number };

/** Handwritten configuration takes a hundredth of this. */
export const FILE_LIMIT_BYTES = 1024 * 1024;

/** Fetches the blobs that the mirror lacks, all in one go. Returns the sizes of all blobs. */
export async function bringBlobs(
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

/** Contents by blob id. Missing blobs are fetched first; blobs that are too large are not read. */
export async function readBlobs(
  mirror: Mirror,
  blobs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileContent>> {
  const sizes = await bringBlobs(mirror, blobs, signal);
  const contents = new Map<string, FileContent>();
  for (const [blob, sizeBytes] of sizes) {
    if (sizeBytes > FILE_LIMIT_BYTES) contents.set(blob, { kind: 'too-large', sizeBytes });
  }
  const small = blobs.filter((blob) => sizes.has(blob) && !contents.has(blob));
  if (small.length === 0) return contents;
  const { stdout } = await catFile(mirror, '--batch=%(objectname) %(objectsize)', small, signal);
  for (const [blob, text] of parseBatch(stdout)) contents.set(blob, { kind: 'text', text });
  return contents;
}

async function sizesOf(
  mirror: Mirror,
  blobs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
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
    const end = lineEnd + 1 + Number(size);
    yield [blob, output.toString('utf8', lineEnd + 1, end)];
    at = end + 1;
  }
}
