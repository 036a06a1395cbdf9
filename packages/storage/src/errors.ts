/** Failures of storage. Each has its own class and `code`, and where it concerns an object, the object's key. */
import { errorCode, errorName } from './error-code.ts';

export type StorageAttempt = 'read' | 'write' | 'list' | 'delete';

interface Unavailable extends ErrorOptions {
  readonly why?: string;
  readonly mayPass?: boolean;
}

/** The store failed for a reason that may pass: network, disk, permissions. Retryable. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  readonly code = 'STORAGE_UNAVAILABLE';
  readonly key: string;
  /** Without it, somebody has to change something first. */
  readonly mayPass: boolean;

  /** `why` says what was expected, what was found and what to do; without it, the cause's name has to do. */
  constructor(key: string, attempt: StorageAttempt, { cause, why, mayPass = true }: Unavailable) {
    super(
      `cannot ${attempt} ${key === '' ? 'all objects' : key}: ${why ?? `${reasonOf(cause)}; it may work when tried again`}`,
      { cause },
    );
    this.key = key;
    this.mayPass = mayPass;
  }
}

/**
 * The object does not have the version that the writer expected: somebody else wrote it, or our own write succeeded and
 * its response was lost.
 */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
  readonly code = 'VERSION_CONFLICT';
  readonly key: string;
  readonly expected: string;

  constructor(key: string, expected: string, options?: ErrorOptions) {
    super(`${key} does not have the expected version ${expected}: read it again before writing`, options);
    this.key = key;
    this.expected = expected;
  }
}

/** A store refuses a key or prefix that could leave the folder, or mean different things to different stores. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';
  readonly code = 'INVALID_KEY';
  readonly key: string;

  constructor(key: string, why: string, options?: ErrorOptions) {
    super(`${JSON.stringify(key.slice(0, 200))} is not a key: ${why}`, options);
    this.key = key;
  }
}

/** The configured address of a store cannot be used. The message never repeats all of it: people put passwords there. */
export class InvalidStorageUrlError extends Error {
  override readonly name = 'InvalidStorageUrlError';
  readonly code = 'INVALID_STORAGE_URL';

  constructor(found: string, options?: ErrorOptions) {
    super(
      `storage must be file:/folder, s3://bucket/prefix, gs://bucket/prefix or az://account/container/prefix, found ${found}`,
      options,
    );
  }
}

/** A stored record cannot be understood: it is cut off, not JSON, or lacks a required part. A person has to look at it. */
export class BrokenRecordError extends Error {
  override readonly name = 'BrokenRecordError';
  readonly code = 'BROKEN_RECORD';
  readonly key: string;
  readonly why: string;

  constructor(key: string, why: string, options?: ErrorOptions) {
    super(`the record ${key} is broken: ${why}; repair it or move it away`, options);
    this.key = key;
    this.why = why;
  }
}

/** A record that could not be read again was to be stored. Nothing was written. */
export class UnstorableRecordError extends Error {
  override readonly name = 'UnstorableRecordError';
  readonly code = 'UNSTORABLE_RECORD';
  readonly key: string;

  /** `remedy` is what an operator can do. */
  constructor(key: string, remedy: string, cause: BrokenRecordError | UnknownRecordVersionError) {
    const why = 'why' in cause ? cause.why : cause.message;
    super(`${key} could not be read again, so it was not written: ${remedy}, and report this: ${why}`, { cause });
    this.key = key;
  }
}

/** A record was written by a newer release than this one. */
export class UnknownRecordVersionError extends Error {
  override readonly name = 'UnknownRecordVersionError';
  readonly code = 'UNKNOWN_RECORD_VERSION';
  readonly key: string;
  readonly version: number;

  constructor(key: string, version: number, known: number) {
    super(
      `the record ${key} has version ${version}, this release reads up to ${known}: ` +
        'a newer release wrote it; run that or a newer one',
    );
    this.key = key;
    this.version = version;
  }
}

/** Reading the record again does not help. */
export function isUnreadableRecord(error: unknown): error is BrokenRecordError | UnknownRecordVersionError {
  return error instanceof BrokenRecordError || error instanceof UnknownRecordVersionError;
}

/** The failure's code or name. The message of the system or the service may hold account ids, so it stays in `cause`. */
function reasonOf(cause: unknown): string {
  return errorCode(cause) || errorName(cause) || 'unknown reason';
}
