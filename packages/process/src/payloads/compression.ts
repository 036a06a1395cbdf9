/**
 * Compresses long payloads: the record of a lane with a thousand waiting revisions has more than a megabyte, and travels with each of its
 * steps. It works with and without a key, and before a payload is sealed, since what is sealed does not compress.
 */
import { promisify } from 'node:util';
import { constants, deflate, inflate } from 'node:zlib';
import type { Payload } from '@temporalio/common';
import { CompressedPayloadError, PayloadTooLargeError } from './payload-errors.ts';
import { packPayload, unpackPayload } from './payload-format.ts';

const COMPRESSED = 'binary/zlib';

/** Below, a payload costs Temporal less than its compression costs us. Most have a few KiB, and people read them in Temporal's UI. */
const LEAST_BYTES = 8 * 1_024;

/** Four times Temporal's limit of a payload. The largest record of a lane has 2 MiB. */
const MOST_BYTES = 8 * 1_024 * 1_024;

/**
 * Records shrink to a quarter or a tenth. Somebody who can write to Temporal could make a few KiB grow a thousandfold in the memory of each process
 * that reads them; so what would grow more than this is not compressed, and not read.
 */
const MOST_GROWTH = 16;

/** As it is where compression gains nothing. */
export async function compress(payload: Payload): Promise<Payload> {
  if ((payload.data?.length ?? 0) <= LEAST_BYTES) return payload;
  const packed = packPayload(payload);
  if (packed.length > MOST_BYTES) throw new PayloadTooLargeError(packed.length, MOST_BYTES, 'before it is compressed');
  const data = await promisify(deflate)(packed, { level: constants.Z_BEST_SPEED });
  const gains = data.length < packed.length && packed.length <= data.length * MOST_GROWTH;
  return gains ? { metadata: { encoding: Buffer.from(COMPRESSED) }, data } : payload;
}

/** `room` is how many bytes it may have at most, besides its own limits. */
export async function decompress(payload: Payload, room = MOST_BYTES): Promise<Payload> {
  if (!isCompressed(payload)) return payload;
  const data = payload.data ?? new Uint8Array();
  const most = Math.min(MOST_BYTES, room, data.length * MOST_GROWTH);
  try {
    return unpackPayload(await promisify(inflate)(data, { maxOutputLength: most }));
  } catch (error) {
    throw new CompressedPayloadError(data.length, most, { cause: error });
  }
}

export function isCompressed({ metadata }: Payload): boolean {
  return Buffer.from(metadata?.['encoding'] ?? []).toString() === COMPRESSED;
}
