/**
 * Seals what goes through Temporal, so that its database, its backups and whoever reads a history see no content: AES-256-GCM,
 * around the whole payload, what its converter notes of it included.
 *
 * A sealed payload names the key that opens it, by an id that tells nothing of the key. What is not sealed is read as it is, so
 * sealing can be turned on and off while workflows are under way.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SealingKeys } from '@nereid/config';
import type { Payload } from '@temporalio/common';
import { PayloadChangedError, PayloadKeyError } from './payload-errors.ts';
import { packPayload, unpackPayload } from './payload-format.ts';

/** By this encoding, Temporal's own samples and its UI know a sealed payload. */
const SEALED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Random, which does for 2^32 payloads with one key: for some hundred million deployments. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** 16 hexadecimal digits, the same in every process. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface Sealing {
  /** As it is where sealing is off. */
  readonly seal: (payload: Payload) => Payload;
  /** As it is where it is not sealed. Throws a `PayloadKeyError` or a `PayloadChangedError`. */
  readonly open: (payload: Payload) => Payload;
}

/** Without keys, it opens nothing, and says so of sealed messages. */
export function createSealing({ seals, opens }: SealingKeys): Sealing {
  const sealing = seals && keyOf(seals.reveal());
  const keys = new Map(opens.map((key) => keyOf(key.reveal())).map((key) => [key.id, key]));
  return {
    seal: (payload) => (sealing ? seal(payload, sealing) : payload),
    open: (payload) => (isSealed(payload) ? open(payload, keys) : payload),
  };
}

/** Whether a payload is sealed, with whatever key. */
export function isSealed({ metadata }: Payload): boolean {
  return textIn(metadata?.['encoding']) === SEALED;
}

function seal(payload: Payload, { id, bytes }: Key): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(id));
  const sealed = [nonce, cipher.update(packPayload(payload)), cipher.final()];
  const data = Buffer.concat([...sealed, cipher.getAuthTag()]);
  return { metadata: { encoding: Buffer.from(SEALED), [KEY_ID]: Buffer.from(id) }, data };
}

function open({ metadata, data }: Payload, keys: ReadonlyMap<string, Key>): Payload {
  const id = textIn(metadata?.[KEY_ID]);
  const key = keys.get(id);
  if (key === undefined) throw new PayloadKeyError(id, [...keys.keys()]);
  const sealed = Buffer.from(data ?? []);
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new PayloadChangedError(id);
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const cipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(id));
  cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return unpackPayload(Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]));
  } catch (error) {
    throw new PayloadChangedError(id, { cause: error });
  }
}

/** What is sealed here is of use nowhere else, even under the same key. */
function boundTo(id: string): Buffer {
  return Buffer.from(`nereid-payload-1 ${id}`);
}

function keyOf(base64: string): Key {
  const derive = (info: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(base64, 'base64'), '', info, bytes));
  return { id: derive('nereid-payload-key-id', 8).toString('hex'), bytes: derive('nereid-payload-key', KEY_BYTES) };
}

function textIn(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
