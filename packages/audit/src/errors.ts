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
      `audit must go to file:/path or sns:<topic arn>, found something that begins with ${JSON.stringify(url.slice(0, 5))}`,
    );
  }
}

/** Returns the code or name of the error. Checks its shape, because Node's errors may come from another realm. */
function reasonOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return 'unknown reason';
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'name' in cause && typeof cause.name === 'string' ? cause.name : 'unknown reason';
}
