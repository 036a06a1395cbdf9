/**
 * An encrypted stream of bytes that is written and read in bounded memory. Reading notices any part that was changed, cut
 * off, reordered or exchanged (the STREAM construction over AES-256-GCM):
 *
 *     "NRDP1" | key id, 8 bytes | salt, 32 bytes | frame | frame | … | last frame
 *     frame = ciphertext, 64 KiB of plain text but for the last | tag, 16 bytes
 *
 * Each stream has its own key, derived with its salt. The nonce is the frame's number and whether it is the last frame.
 * Every frame also authenticates the header and the name of the stream.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createByteReader } from './byte-reader.ts';
import type { PlanKeys } from './plan-keys.ts';

const MAGIC = Buffer.from('NRDP1');
const KEY_ID_BYTES = 8;
const SALT_BYTES = 32;
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES;
/** Small enough not to matter in memory, large enough that the tags add only 0.03 %. */
const FRAME_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

/** The sealed stream was changed or cut off, or sealed with a key that is not configured or under another name. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
  readonly code = 'UNSEAL';
}

/** `name` binds the stream to the place where it is kept: it cannot be unsealed under another name. */
export async function* seal(
  plain: AsyncIterable<Uint8Array>,
  keys: PlanKeys,
  name: string,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  const header = Buffer.concat([MAGIC, Buffer.from(keys.newest.id, 'hex'), salt]);
  const frames = { key: keys.newest.derive(salt), bound: boundTo(header, name) };
  yield header;
  for await (const { bytes, number, isLast } of inFrames(plain, FRAME_BYTES))
    yield sealFrame(frames, bytes, nonceOf(number, isLast));
}

/** Yields plain text only once its frame proves authentic. Throws `UnsealError`, also when the end is missing. */
export async function* unseal(
  sealed: AsyncIterable<Uint8Array>,
  keys: PlanKeys,
  name: string,
): AsyncGenerator<Uint8Array> {
  const reader = createByteReader(sealed);
  try {
    const header = await reader.exactly(HEADER_BYTES);
    if (header === undefined) throw new UnsealError('it is cut off');
    if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw new UnsealError('it does not begin like a kept plan');
    const frames = { key: keyOf(header, keys), bound: boundTo(header, name) };
    for await (const { bytes, number, isLast } of inFrames(reader.rest(), FRAME_BYTES + TAG_BYTES))
      yield unsealFrame(frames, bytes, nonceOf(number, isLast));
  } finally {
    await reader.close();
  }
}

function keyOf(header: Buffer, keys: PlanKeys): Uint8Array {
  const keyId = header.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES).toString('hex');
  const key = keys.byId(keyId);
  if (key === undefined) throw new UnsealError(`its key ${keyId} is not among the configured ones`);
  return key.derive(header.subarray(HEADER_BYTES - SALT_BYTES));
}

interface Frames {
  readonly key: Uint8Array;
  readonly bound: Uint8Array;
}

function sealFrame({ key, bound }: Frames, plain: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unsealFrame({ key, bound }: Frames, frame: Buffer, nonce: Uint8Array): Uint8Array {
  if (frame.length < TAG_BYTES) throw new UnsealError('it is cut off');
  const body = frame.subarray(0, -TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(bound).setAuthTag(frame.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (cause) {
    throw new UnsealError('it was changed or cut off', { cause });
  }
}

function boundTo(header: Uint8Array, name: string): Uint8Array {
  return Buffer.concat([header, Buffer.from(name)]);
}

function nonceOf(number: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

interface Frame {
  readonly bytes: Buffer;
  readonly number: number;
  readonly isLast: boolean;
}

/** Cuts a stream into frames; there is always a last frame, even if it is empty. */
async function* inFrames(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Frame> {
  const reader = createByteReader(stream);
  try {
    for (let number = 0; ; number += 1) {
      const bytes = await reader.upTo(size);
      const isLast = await reader.hasEnded();
      yield { bytes, number, isLast };
      if (isLast) return;
    }
  } finally {
    await reader.close();
  }
}
