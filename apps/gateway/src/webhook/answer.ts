/** The response to a webhook, and the outcome under which it is counted. `message` is a sentence for the body. */
export interface Answer {
  readonly status: 202 | 400 | 401 | 408 | 413 | 415 | 500 | 503;
  readonly message: string;
  readonly outcome: Outcome;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number;
  /** `owner/name`; set once the signature was checked and the payload was read. */
  readonly repository?: string;
  /** For the log only. */
  readonly cause?: unknown;
}

export const OUTCOMES = [
  'accepted',
  'duplicate',
  'ignored',
  'not-allowed',
  'refused',
  'unavailable',
  'failed',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export function refused(status: 400 | 401 | 408 | 413 | 415, message: string): Answer {
  return { status, message, outcome: 'refused' };
}
