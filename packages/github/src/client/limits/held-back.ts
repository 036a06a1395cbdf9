/** A request that GitHub's limits keep from being sent, or that GitHub itself sent away. */
export class HeldBackError extends Error {
  override readonly name = 'HeldBackError';
  readonly code = 'GITHUB_HELD_BACK';
  /** In the background a reserved turn: a request that comes back then, or up to five seconds later, is sent at once. */
  readonly retryAfterMs: number;
  /** HTTP status of GitHub's answer; 0 when it was not asked. */
  readonly status: number;

  constructor(retryAfterMs: number, status = 0, options?: ErrorOptions) {
    super(`expected room for a request within the limits of GitHub, found none for ${retryAfterMs} ms`, options);
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}
