/** A request that was not sent because of GitHub's limits, or that GitHub itself limited. */
export class HeldBackError extends Error {
  override readonly name = 'HeldBackError';
  readonly code = 'GITHUB_HELD_BACK';
  /** For a background request, its reserved turn: if it comes back then, or up to five seconds later, it is sent at once. */
  readonly retryAfterMs: number;
  /** HTTP status of GitHub's answer; 0 when GitHub was not asked. */
  readonly status: number;

  constructor(retryAfterMs: number, status = 0, options?: ErrorOptions) {
    super(`expected room for a request within the limits of GitHub, found none for ${retryAfterMs} ms`, options);
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}
