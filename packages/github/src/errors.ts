/** GitHub could not be asked: no answer, a server error or a limit. The same request may succeed later. */
export class GitHubUnavailableError extends Error {
  override readonly name = 'GitHubUnavailableError';
  readonly code = 'GITHUB_UNAVAILABLE';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** How long GitHub asked us to wait, if it did. */
  readonly retryAfterMs: number | undefined;

  constructor(route: string, status: number, retryAfterMs: number | undefined, options: ErrorOptions) {
    const found = status === 0 ? 'no answer' : `status ${status}`;
    const when = retryAfterMs === undefined ? '' : ` in ${Math.ceil(retryAfterMs / 1_000)} s`;
    super(`expected an answer from GitHub to ${route}, found ${found}; try again${when}`, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** GitHub understood the request and refused it. Asking again changes nothing. */
export class GitHubRefusedError extends Error {
  override readonly name = 'GitHubRefusedError';
  readonly code = 'GITHUB_REFUSED';
  /** HTTP status, 4xx. */
  readonly status: number;

  constructor(route: string, status: number, sentence: string, options: ErrorOptions) {
    super(`GitHub refused ${route} with status ${status}: ${sentence}; ${ADVICE[status] ?? 'see its answer'}`, options);
    this.status = status;
  }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: "check the App's id and private key, and this machine's clock",
  403: "check the permissions of the App's installation",
  404: 'check that the App is installed on this repository and that the object exists',
  422: 'this is a mistake in our request',
};
