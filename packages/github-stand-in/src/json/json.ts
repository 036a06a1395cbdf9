/** An object as GitHub's API writes it. */
export type Json = Record<string, unknown>;

/** GitHub's opaque second id. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64');
}
