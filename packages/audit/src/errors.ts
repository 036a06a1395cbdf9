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

/** More than any error has inside it. */
const CAUSES_LIMIT = 5;

/** The most precise reason: fetch hides the network's own in a cause. Checks shapes, because Node's errors may come from another realm. */
export function reasonOf(error: unknown): string {
  if (error instanceof AuditSecretError) return error.message;
  // Of several places, with their reasons; Node's own, of several addresses of one host, has no message.
  if (error instanceof AggregateError && error.message !== '') return error.message;
  if (error instanceof AuditUnavailableError) return reasonOf(error.cause);
  const reason = deepestOf(error);
  if (!UNTRUSTED.test(reason)) return reason;
  return `${reason}, a certificate that this machine does not trust: name the file of its authority in NODE_EXTRA_CA_CERTS`;
}

function deepestOf(error: unknown): string {
  let reason = 'unknown reason';
  for (let each = error, left = CAUSES_LIMIT; isObject(each) && left > 0; each = innerOf(each), left -= 1) {
    if ('code' in each && typeof each.code === 'string') reason = each.code;
    else if ('name' in each && typeof each.name === 'string' && reason === 'unknown reason') reason = each.name;
  }
  return reason;
}

/** Node's words for a certificate of an authority that it does not know. */
const UNTRUSTED = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_)/;

function innerOf(error: object): unknown {
  if ('cause' in error && error.cause !== undefined) return error.cause;
  // Of several addresses of one host, each failed.
  return 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
