import { reasonOf as reasonOfRequest } from '@nereid/webhook';

/** An event was not recorded, or nobody knows whether it was. Retryable: recording it again is safe. */
export class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError';
  readonly code = 'AUDIT_UNAVAILABLE';
  readonly eventId: string;

  constructor(eventId: string, destination: string, options: ErrorOptions) {
    super(
      `cannot record the audit event ${eventId} in ${destination}: ${reasonOf(options.cause)}; record it again`,
      options,
    );
    this.eventId = eventId;
  }
}

/** The configured destination of audit events cannot be used. */
export class InvalidAuditUrlError extends Error {
  override readonly name = 'InvalidAuditUrlError';
  readonly code = 'INVALID_AUDIT_URL';

  constructor(url: string) {
    // Cut short: a text that is not an address may be a secret in the wrong place.
    super(
      `audit must go to file:/path, sns:<topic arn>, pubsub:projects/<project>/topics/<topic>, webhook:<url> or eventgrid:<url>, found something that begins with ${JSON.stringify(url.slice(0, 5))}`,
    );
  }
}

/** A service answered, but did not take the event. Holds nothing of the answer. */
export class AuditAnswerError extends Error {
  override readonly name = 'AuditAnswerError';
  readonly code: string;
  readonly status: number;

  constructor(status: number, why = '') {
    super(`answered ${status}${why}`);
    this.status = status;
    this.code = `status ${status}${why}`;
  }
}

/** The most precise reason. */
export function reasonOf(error: unknown): string {
  // Of several places, with their reasons; Node's own, of several addresses of one host, has no message.
  if (error instanceof AggregateError && error.message !== '') return error.message;
  if (error instanceof AuditUnavailableError) return reasonOf(error.cause);
  return reasonOfRequest(error);
}
