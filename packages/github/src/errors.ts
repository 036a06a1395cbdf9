import { distrustOf } from '@nereid/domain/distrust';
import { ForgeRefusedError, ForgeShutOutError, ForgeUnavailableError } from '@nereid/forge';

/** GitHub could not be asked: no answer, a server error, or a limit. The same request may succeed later. */
export class GitHubUnavailableError extends ForgeUnavailableError {
  override readonly name = 'GitHubUnavailableError';

  constructor(route: string, status: number, retryAfterMs: number | undefined, options: ErrorOptions) {
    const answer = status === 0 ? 'no answer' : `status ${status}`;
    const found = distrustOf(options.cause) ?? `${answer}; ${again(retryAfterMs)}`;
    const message = `expected an answer from GitHub to ${route}, found ${found}`;
    super(message, { ...options, status, retryAfterMs, isUnsent: options.cause instanceof NotBegunError });
  }
}

function again(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? 'try again' : `try again in ${Math.ceil(retryAfterMs / 1_000)} s`;
}

/** A background request that found no place in its time, although GitHub's limits left room. */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
  readonly code = 'GITHUB_NOT_BEGUN';

  constructor(options: ErrorOptions) {
    super('expected a place for a request within its time, found that others took longer', options);
  }
}

/** GitHub lets our App do nothing, until somebody acts. */
export class GitHubShutOutError extends ForgeShutOutError {
  override readonly name = 'GitHubShutOutError';

  constructor(route: string, status: number, sentence: string, options: ErrorOptions) {
    super(refusal(route, status, sentence, SHUT_OUT), { ...options, status });
  }
}

/** GitHub understood the request and refused it. */
export class GitHubRefusedError extends ForgeRefusedError {
  override readonly name = 'GitHubRefusedError';

  constructor(route: string, status: number, sentence: string, options: ErrorOptions) {
    super(refusal(route, status, sentence, ADVICE), { ...options, status });
  }
}

type Advice = Readonly<Record<number, string>>;

function refusal(route: string, status: number, sentence: string, advice: Advice): string {
  return `GitHub refused ${route} with status ${status}: ${sentence}; ${advice[status] ?? 'see its answer'}`;
}

const SHUT_OUT: Advice = {
  401: "check the App's id and private key, and this machine's clock",
  403: 'unsuspend the App',
  404: 'install the App there',
};

const ADVICE: Advice = {
  403: "check the permissions of the App's installation",
  404: 'check that the App is installed on this repository and that the object exists',
  422: 'this is a mistake in our request',
};

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
