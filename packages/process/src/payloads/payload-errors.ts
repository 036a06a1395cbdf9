/** Why a payload is not sealed or not opened. Temporal tries again, so an operator who gives a process its key mends all of it. */
import { PAYLOAD_KEY_MISSING } from '@nereid/domain/temporal-names';

/** Temporal's SDK makes its name, `PAYLOAD_KEY_MISSING` of the domain, the type of the failure that a workflow sees. */
export class PayloadKeyError extends Error {
  override readonly name = PAYLOAD_KEY_MISSING;
  readonly code = 'PAYLOAD_KEY_MISSING';

  /** With the ids of the key that is missing and of those that are there. */
  constructor(missing: string, present: readonly string[]) {
    const found = present.length === 0 ? 'no PAYLOAD_KEY' : `a PAYLOAD_KEY with ${present.join(', ')} only`;
    super(
      `expected the key ${missing === '' ? 'without a name' : missing}, with which a message was sealed, found ${found}; give this process the PAYLOAD_KEY that the others have`,
    );
  }
}

export class PayloadChangedError extends Error {
  override readonly name = 'PayloadChangedError';
  readonly code = 'PAYLOAD_CHANGED';

  constructor(keyId: string, options?: ErrorOptions) {
    super(
      `expected a message as it was sealed with the key ${keyId}, found one that was changed since; see who can write to Temporal`,
      options,
    );
  }
}

export class CompressedPayloadError extends Error {
  override readonly name = 'CompressedPayloadError';
  readonly code = 'PAYLOAD_BROKEN';

  constructor(bytes: number, most: number, options?: ErrorOptions) {
    super(
      `expected ${bytes} bytes of a message to be compressed, and to have at most ${most} without that, found others; see who can write to Temporal`,
      options,
    );
  }
}

export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError';
  readonly code = 'PAYLOAD_TOO_LARGE';

  /** `when` it had so many bytes. */
  constructor(bytes: number, limit: number, when: string) {
    super(`expected a message of at most ${limit} bytes ${when}, found ${bytes}`);
  }
}
