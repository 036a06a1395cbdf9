/** What a webhook is answered with, and under which name it is counted. The sentence is the body's `message`. */
export interface Answer {
  readonly status: 202 | 400 | 401 | 408 | 413 | 415 | 500 | 503;
  readonly message: string;
  readonly outcome: Outcome;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number;
  /** `owner/name`, once the payload was believed. */
  readonly repository?: string;
  /** For the log only. */
  readonly cause?: unknown;
}

export type Outcome = 'accepted' | 'duplicate' | 'ignored' | 'not-allowed' | 'refused' | 'unavailable' | 'failed';

export function refused(status: 400 | 401 | 408 | 413 | 415, message: string): Answer {
  return { status, message, outcome: 'refused' };
}
