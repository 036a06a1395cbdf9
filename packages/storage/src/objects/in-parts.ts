/** The bytes of one request of an upload: they set the memory that it takes. Google wants a multiple of 256 KiB, S3 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024;

/** A body that fits in one request, or parts of exactly as many bytes each, except the last. */
export type Parts =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'parts'; readonly parts: AsyncIterable<Part> };

export interface Part {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** Reads as much of the body as tells whether it needs parts. */
export async function inParts(body: AsyncIterable<Uint8Array>): Promise<Parts> {
  const parts = cut(body);
  const first = await parts.next();
  if (first.done === true) return { kind: 'whole', bytes: new Uint8Array() };
  const second = await parts.next();
  if (second.done === true) return { kind: 'whole', bytes: first.value };
  return { kind: 'parts', parts: marked(first.value, second.value, parts) };
}

/** A part is known to be the last when there is no next. */
async function* marked(
  first: Uint8Array,
  second: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Part, undefined> {
  yield { bytes: first, isLast: false };
  let bytes = second;
  for await (const next of rest) {
    yield { bytes, isLast: false };
    bytes = next;
  }
  yield { bytes, isLast: true };
  return undefined;
}

async function* cut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (let piece of body) {
    while (bytes + piece.length >= PART_BYTES) {
      const missing = PART_BYTES - bytes;
      yield Buffer.concat([...pieces, piece.subarray(0, missing)]);
      piece = piece.subarray(missing);
      pieces = [];
      bytes = 0;
    }
    if (piece.length === 0) continue;
    pieces.push(piece);
    bytes += piece.length;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
  return undefined;
}
