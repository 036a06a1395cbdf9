import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec.ts';
import { packPayload } from './payload-format.ts';
import { isSealed } from './sealing.ts';

const KEY = new Secret(randomBytes(32).toString('base64'));
const clear = createPayloadCodec({ seals: undefined, opens: [] });
const sealing = createPayloadCodec({ seals: KEY, opens: [KEY] });

const MIB = 1_024 * 1_024;

describe.each([
  ['without a key', clear],
  ['with a key', sealing],
])('%s, a long payload', (_which, codec) => {
  test('is compressed, before it is sealed, and read as it was', async () => {
    const record = aRecord(2_000);

    const [stored = {}] = await codec.encode([payloadOf(record)]);
    const [read = {}] = await codec.decode([stored]);

    expect(sizeOf(stored)).toBeLessThan(sizeOf(payloadOf(record)) / 4);
    expect(isSealed(stored)).toBe(codec === sealing);
    expect(defaultPayloadConverter.fromPayload(read)).toEqual(record);
  });

  test('that Temporal would refuse otherwise fits', async () => {
    const large = aRecord(15_000);

    expect(sizeOf(payloadOf(large))).toBeGreaterThan(3 * MIB);
    const [read = {}] = await codec.decode(await codec.encode([payloadOf(large)]));

    expect(defaultPayloadConverter.fromPayload(read)).toEqual(large);
  });

  test('stays as it is where compression gains nothing, and may then have as much as Temporal takes', async () => {
    const noise = payloadOf(randomBytes(100_000));
    const [stored = {}] = await codec.encode([noise]);

    expect(sizeOf(stored)).toBeGreaterThanOrEqual(100_000);
    expect((await codec.decode([stored]))[0]).toEqual(noise);
    await expect(codec.encode([payloadOf(randomBytes(2 * MIB + 1))])).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  test('of more than 8 MiB is refused before anything is done with it', async () => {
    await expect(codec.encode([payloadOf(randomBytes(8 * MIB + 1))])).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringMatching(
        /^expected a message of at most 8388608 bytes before it is compressed, found \d+$/,
      ),
    });
  });
});

test('payloads that grow beyond 32 MiB together are refused', async () => {
  const noise = randomBytes(MIB / 2);
  const grows = {
    metadata: { encoding: Buffer.from('binary/zlib') },
    data: deflateSync(packPayload({ data: Buffer.concat(Array.from({ length: 12 }, () => noise)) })),
  };

  await expect(clear.decode([grows])).resolves.toHaveLength(1);
  await expect(clear.decode(Array.from({ length: 8 }, () => grows))).rejects.toMatchObject({ code: 'PAYLOAD_BROKEN' });
});

test('a payload of at most 8 KiB stays readable in Temporal where nothing is sealed', async () => {
  const most = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.alloc(8_192, 'x') };

  expect(await clear.encode([most])).toEqual([most]);
});

describe('a payload that somebody else made is refused with a sentence:', () => {
  const packed = packPayload(payloadOf(aRecord(1_000)));

  test.each<[string, Uint8Array]>([
    ['one that grows a thousandfold', deflateSync(Buffer.alloc(4 * MIB))],
    ['one that grows beyond 8 MiB', deflateSync(Buffer.concat([randomBytes(MIB), Buffer.alloc(8 * MIB)]))],
    ['one that is cut off', deflateSync(packed).subarray(0, -10)],
    ['one that is not compressed', packed],
    ['one that is no payload inside', deflateSync(Buffer.from('noise'))],
    ['an empty one', new Uint8Array()],
  ])('a payload is refused with a sentence when it is %s', async (_what, data) => {
    const payload = { metadata: { encoding: Buffer.from('binary/zlib') }, data };

    await expect(clear.decode([payload])).rejects.toMatchObject({
      code: 'PAYLOAD_BROKEN',
      message: expect.stringMatching(
        /^expected \d+ bytes of a message to be compressed, and to have at most \d+ without that, found others; see who can write to Temporal$/,
      ),
    });
  });
});

/** Of so many waiting revisions, each with its own title and commit. */
function aRecord(waiting: number) {
  const queue = Array.from({ length: waiting }, (_, index) => ({
    revision: { sha: randomBytes(20).toString('hex'), title: `change ${index}`, author: 'ada' },
    repository: { owner: 'acme', name: 'infra', installationId: 1 },
    trigger: { kind: 'merge', pullRequest: index, requestedAt: '2026-11-27T00:00:00.000Z' },
  }));
  return { queue };
}

function payloadOf(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value);
}

function sizeOf({ data }: Payload): number {
  return data?.length ?? 0;
}
