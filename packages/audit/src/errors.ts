import { causesOf, distrustOf } from '@nereid/domain/distrust';

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

/** The file with the secrets of a sink cannot be used. Says where and why, and holds nothing of the file. */
export class AuditSecretError extends Error {
  override readonly name = 'AuditSecretError';
  readonly code = 'AUDIT_SECRET';
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
  if (error instanceof AuditSecretError) return error.message;
  // Of several places, with their reasons; Node's own, of several addresses of one host, has no message.
  if (error instanceof AggregateError && error.message !== '') return error.message;
  if (error instanceof AuditUnavailableError) return reasonOf(error.cause);
  return distrustOf(error) ?? deepestOf(error);
}

function deepestOf(error: unknown): string {
  let reason = 'unknown reason';
  for (const each of causesOf(error)) {
    if ('code' in each && typeof each.code === 'string') reason = each.code;
    else if ('name' in each && typeof each.name === 'string' && reason === 'unknown reason') reason = each.name;
  }
  return reason;
}
