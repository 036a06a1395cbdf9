/** What can go wrong with stored things. Each failure has its class, its `code` and the key it is about. */
import { errorCode, errorName } from './error-code.ts';

/** The store did not do what was asked, and may when asked again: network, disk, permissions. Retryable. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  readonly code = 'STORAGE_UNAVAILABLE';
  readonly key: string;

  constructor(key: string, attempt: 'read' | 'write' | 'list' | 'delete', options: ErrorOptions) {
    super(`cannot ${attempt} ${key}: ${reasonOf(options.cause)}; the store is asked again by whoever retries`, options);
    this.key = key;
  }
}

/** The object is not in the version that the writer expected; somebody else wrote, or our own answer was lost. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
  readonly code = 'VERSION_CONFLICT';
  readonly key: string;
  readonly expected: string;

  constructor(key: string, expected: string, options?: ErrorOptions) {
    super(`${key} is not in version ${expected} as expected: read it again before writing`, options);
    this.key = key;
    this.expected = expected;
  }
}

/** A key or prefix that a store refuses: it could leave the folder, or mean different things to different stores. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';
  readonly code = 'INVALID_KEY';
  readonly key: string;

  constructor(key: string, why: string, options?: ErrorOptions) {
    super(`${JSON.stringify(key.slice(0, 200))} is no key: ${why}`, options);
    this.key = key;
  }
}

/** The configured address of a store cannot be used. The message never repeats it whole: people put passwords there. */
export class InvalidStorageUrlError extends Error {
  override readonly name = 'InvalidStorageUrlError';
  readonly code = 'INVALID_STORAGE_URL';

  constructor(found: string, options?: ErrorOptions) {
    super(`storage must be file:/folder or s3://bucket/prefix, found ${found}`, options);
  }
}

/** A stored record cannot be understood: cut off, not JSON, or without what it must have. Someone has to look at it. */
export class BrokenRecordError extends Error {
  override readonly name = 'BrokenRecordError';
  readonly code = 'BROKEN_RECORD';
  readonly key: string;

  constructor(key: string, why: string, options?: ErrorOptions) {
    super(`the record ${key} is broken: ${why}; repair it or move it away`, options);
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

/** What the operating system or the service called it. Their sentences may hold account ids and stay in `cause`. */
function reasonOf(cause: unknown): string {
  return errorCode(cause) || errorName(cause) || 'unknown reason';
}
