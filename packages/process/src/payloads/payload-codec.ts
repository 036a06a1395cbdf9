/** What becomes of payloads on their way to Temporal: long ones are compressed, then all are sealed where there is a key. */
import type { SealingKeys } from '@nereid/config';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { compress, decompress } from './compression.ts';
import { PayloadTooLargeError } from './payload-errors.ts';
import { createSealing } from './sealing.ts';

/** Temporal refuses a larger payload, and some of its refusals end a workflow; ours is only tried again. */
const LIMIT_BYTES = 2 * 1_024 * 1_024;

/** Reads what is neither sealed nor compressed as it is. */
export function createPayloadCodec(keys: SealingKeys): PayloadCodec {
  const { seal, open } = createSealing(keys);
  return {
    encode: (payloads) => Promise.all(payloads.map(async (payload) => small(seal(await compress(payload))))),
    decode: async (payloads) => decompressAll(payloads.map(open)),
  };
}

/** As much as four of the largest. No message of ours has more than two large parts. */
const MOST_DECODED_BYTES = 32 * 1_024 * 1_024;

/** One after the other, within one limit: somebody at Temporal's port may send many that grow. */
async function decompressAll(payloads: readonly Payload[]): Promise<Payload[]> {
  const read: Payload[] = [];
  let room = MOST_DECODED_BYTES;
  for (const payload of payloads) {
    const one = await decompress(payload, room);
    room = Math.max(1, room - (one.data?.length ?? 0));
    read.push(one);
  }
  return read;
}

function small(payload: Payload): Payload {
  const bytes = payload.data?.length ?? 0;
  if (bytes > LIMIT_BYTES) throw new PayloadTooLargeError(bytes, LIMIT_BYTES, 'as Temporal stores it');
  return payload;
}
