import { describe, expect, test } from '@jest/globals';
import { text } from '@nereid/domain/message-shape';
import { PAYLOAD_KEY_MISSING } from '@nereid/domain/temporal-names';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, toPayloads, type PayloadCodec } from '@temporalio/common';
import { testSignatures } from '../../testing/test-signatures.ts';
import { readMessage } from './read-message.ts';

const CLOSED_AT = Date.parse('2026-01-31T14:00:00.000Z');
const JOB = { jobId: text };

const forged: string[] = [];
const signatures = {
  ...testSignatures,
  forged: (...[kind, why, id]: Parameters<typeof testSignatures.forged>) => {
    forged.push(id);
    return testSignatures.forged(kind, why, id);
  },
};

function read(message: unknown, now = CLOSED_AT, payloadCodecs: readonly PayloadCodec[] = []): Promise<unknown> {
  const options = { loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs } };
  const temporal = { workflow: { options } } as unknown as Client; // Of which nothing else is asked.
  forged.length = 0;
  const payloads = toPayloads(defaultPayloadConverter, message) ?? [];
  return readMessage(
    { context: { temporal, signatures }, deploymentId: 'd1', closedAt: CLOSED_AT, now },
    { payloads },
    JOB,
  );
}

describe('a message in the history of a workflow', () => {
  test('is read if it has its shape', async () => {
    expect(await read({ jobId: 'a-job', more: 1 })).toEqual({ jobId: 'a-job', more: 1 });
    expect(forged).toEqual([]);
  });

  test.each([[{ jobId: 1 }], [{}], ['a text'], [null], [undefined]])(
    'of another shape counts as forged, and is as good as none: %j',
    async (message) => {
      expect(await read(message)).toBeUndefined();
      expect(forged).toEqual(['d1']);
    },
  );

  const keyless: PayloadCodec = {
    encode: (payloads) => Promise.resolve(payloads),
    decode: () => Promise.reject(Object.assign(new Error('no such key'), { name: PAYLOAD_KEY_MISSING })),
  };

  test('that was sealed with a key that this process lacks is awaited for an hour: an operator may give it the key', async () => {
    await expect(read({ jobId: 'a-job' }, CLOSED_AT + 59 * 60_000, [keyless])).rejects.toThrow('no such key');
    expect(forged).toEqual([]);
  });

  test('that was sealed with a key that nobody has counts as forged after an hour', async () => {
    expect(await read({ jobId: 'a-job' }, CLOSED_AT + 60 * 60_000, [keyless])).toBeUndefined();
    expect(forged).toEqual(['d1']);
  });
});
