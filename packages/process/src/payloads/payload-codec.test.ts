import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec.ts';
import { isSealed } from './sealing.ts';

const [OLD, NEW, FOREIGN] = [aKey(), aKey(), aKey()];
const CONTENT = { root: 'network', title: 'add a subnet', list: [1, null] };

describe('a payload is sealed', () => {
  test('whole, and opened as it was', async () => {
    const codec = codecWith([NEW]);

    const [sealed = {}] = await codec.encode([aPayload()]);
    const [opened = {}] = await codec.decode([sealed]);

    expect(textOf(sealed)).not.toMatch(/network|subnet|json/);
    expect(isSealed(sealed)).toBe(true);
    expect(defaultPayloadConverter.fromPayload(opened)).toEqual(CONTENT);
  });

  test.each([
    ['bytes', new Uint8Array([0, 255, 7])],
    ['an empty text', ''],
    ['nothing', undefined],
  ])('whatever it is: %s', async (_what, value) => {
    const codec = codecWith([NEW]);

    const [opened = {}] = await codec.decode(await codec.encode([payloadOf(value)]));

    expect(defaultPayloadConverter.fromPayload(opened)).toEqual(value);
  });

  test('differently each time', async () => {
    const sealed = await codecWith([NEW]).encode([aPayload(), aPayload()]);

    expect(new Set(sealed.map(textOf)).size).toBe(2);
  });

  test('with the first key, by an id that is not the key; all keys open', async () => {
    const [before = {}] = await codecWith([OLD]).encode([aPayload()]);
    const [after = {}] = await codecWith([NEW, OLD]).encode([aPayload()]);

    expect(await valuesOf(codecWith([NEW, OLD]), [before, after])).toEqual([CONTENT, CONTENT]);
    expect(keyIdOf(after)).toBe(keyIdOf((await codecWith([NEW]).encode([aPayload()]))[0] ?? {}));
    expect(keyIdOf(after)).toMatch(/^[0-9a-f]{16}$/);
    expect(Buffer.from(NEW, 'base64').toString('hex')).not.toContain(keyIdOf(after));
  });

  test('by nobody while sealing is off, and read all the same', async () => {
    const off = createPayloadCodec({ seals: undefined, opens: [new Secret(OLD)] });

    const clear = await off.encode([aPayload()]);
    const sealed = await codecWith([OLD]).encode([aPayload()]);

    expect(clear).toEqual([aPayload()]);
    expect(await valuesOf(off, [...clear, ...sealed])).toEqual([CONTENT, CONTENT]);
  });
});

describe('what is not sealed', () => {
  test('is read as it is, so sealing can be turned on while workflows are under way', async () => {
    expect(await codecWith([NEW]).decode([aPayload()])).toEqual([aPayload()]);
  });
});

describe('a payload that cannot be opened', () => {
  test('names the key that is missing, to a process with others', async () => {
    const [sealed = {}] = await codecWith([FOREIGN]).encode([aPayload()]);
    const [own = {}] = await codecWith([NEW]).encode([aPayload()]);

    await expect(codecWith([NEW]).decode([sealed])).rejects.toMatchObject({
      code: 'PAYLOAD_KEY_MISSING',
      message: `expected the key ${keyIdOf(sealed)}, with which a message was sealed, found a PAYLOAD_KEY with ${keyIdOf(own)} only; give this process the PAYLOAD_KEY that the others have`,
    });
  });

  test('says so to a process without any', async () => {
    const sealed = await codecWith([NEW]).encode([aPayload()]);

    await expect(createPayloadCodec({ seals: undefined, opens: [] }).decode(sealed)).rejects.toThrow(
      /found no PAYLOAD_KEY; give this process the PAYLOAD_KEY that the others have$/,
    );
  });

  test.each<[string, (data: Buffer) => Buffer]>([
    ['a bit is another', (data) => data.fill(data.readUInt8(20) ^ 1, 20, 21)],
    ['it is cut off', (data) => data.subarray(0, 40)],
    ['it is empty', () => Buffer.alloc(0)],
  ])('a payload cannot be opened when %s', async (_how, change) => {
    const [sealed = {}] = await codecWith([NEW]).encode([aPayload()]);

    const changed = { ...sealed, data: change(Buffer.from(sealed.data ?? [])) };

    await expect(codecWith([NEW]).decode([changed])).rejects.toMatchObject({ code: 'PAYLOAD_CHANGED' });
  });
});

test('a payload that Temporal would refuse for its size is refused before', async () => {
  const most = 2 * 1_024 * 1_024;

  await expect(codecWith([NEW]).encode([payloadOf('x'.repeat(most))])).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
  await expect(codecWith([NEW]).encode([payloadOf('x'.repeat(most - 200))])).resolves.toHaveLength(1);
});

function aKey(): string {
  return randomBytes(32).toString('base64');
}

function codecWith(keys: readonly [string, ...string[]]) {
  return createPayloadCodec({ seals: new Secret(keys[0]), opens: keys.map((key) => new Secret(key)) });
}

function payloadOf(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value);
}

function aPayload(): Payload {
  return payloadOf(CONTENT);
}

async function valuesOf(codec: ReturnType<typeof codecWith>, payloads: Payload[]): Promise<unknown[]> {
  return (await codec.decode(payloads)).map((payload) => defaultPayloadConverter.fromPayload(payload));
}

function keyIdOf({ metadata }: Payload): string {
  return Buffer.from(metadata?.['encryption-key-id'] ?? []).toString();
}

/** Everything in it, as text. */
function textOf({ metadata, data }: Payload): string {
  return [...Object.entries(metadata ?? {}).flat(), data ?? '']
    .map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1')))
    .join(' ');
}
