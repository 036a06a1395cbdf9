/** A request that was not sent: GitHub has asked to be left alone, or would after it. */
export class HeldBackError extends Error {
  override readonly name = 'HeldBackError';
  readonly code = 'GITHUB_HELD_BACK';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super(`expected room for a request within the limits of GitHub, found none for ${retryAfterMs} ms`);
    this.retryAfterMs = retryAfterMs;
  }
}
