/** A receiver that took a message says so in less than a kilobyte, and one number of Prometheus takes no more. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** Reads no further than the limit: a server may send without end. */
export async function beginningOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > BODY_LIMIT_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, BODY_LIMIT_BYTES);
}
