import { describe, expect, test } from '@jest/globals';
import { hashOfToken, Secret, type ApiToken } from '@nereid/config';
import { createPayloadCodec } from '@nereid/process';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createHash, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { AskAccess } from '../access/repository-access.ts';
import { lettingIn } from '../login/testing.ts';
import { aConsole, type Outside } from '../testing.ts';

const UI = 'https://temporal.example';
const KEY = new Secret(randomBytes(32).toString('base64'));
const codec = createPayloadCodec({ seals: KEY, opens: [KEY] });

const INFRA = { owner: 'acme', name: 'infra', installationId: 1 };
const SECRET = { ...INFRA, name: 'secret' };

/** What Temporal's UI shows of a lane, of two repositories together, and of a step that names none. */
const OF_INFRA = { rootName: 'network', deployment: { repository: INFRA, title: 'add a subnet' } };
const OF_BOTH = { ...OF_INFRA, before: 'acme/secret', audits: [{ repository: 'acme/secret' }] };
const OF_NONE = 'plan-unusable: the lock file differs';

const TOKENS: readonly ApiToken[] = [
  aToken('nereid_reader', 'ada', ['read']),
  aToken('nereid_review', 'ada', ['review']),
  aToken('nereid_narrow', 'ada', ['read'], ['acme/other']),
  aToken('nereid_operator', 'olga', ['read', 'hosts']),
  aToken('nereid_lookout', 'olga', ['read']),
];

describe('a person sees what is sealed', () => {
  test('if they were let into every repository that it names', async () => {
    const { decode } = await withCodec();

    expect(await decode([OF_INFRA, OF_BOTH, OF_NONE], 'nereid_reader')).toEqual([OF_INFRA, 'sealed', 'sealed']);
    expect(await decode([SECRET, INFRA], 'nereid_reader')).toEqual(['sealed', INFRA]);
  });

  test('if it names none, as an operator: it may be of any', async () => {
    const { decode } = await withCodec();

    expect(await decode([OF_NONE, OF_INFRA, OF_BOTH], 'nereid_operator')).toEqual([OF_NONE, OF_INFRA, 'sealed']);
    expect(await decode([OF_NONE, OF_INFRA], 'nereid_lookout')).toEqual(['sealed', OF_INFRA]);
  });

  test('never because everybody in the world may read its repository', async () => {
    const askAccess: AskAccess = (_visitor, asked) => Promise.resolve(asked.map(() => ({ sees: 'as-everybody' })));
    const { decode } = await withCodec({ login: { policy: undefined, tokens: TOKENS, askAccess } });

    expect(await decode([OF_INFRA], 'nereid_reader')).toEqual(['sealed']);
  });

  test('only as far as their token goes', async () => {
    const { decode, ask } = await withCodec();

    expect(await decode([OF_INFRA], 'nereid_narrow')).toEqual(['sealed']);
    expect((await ask(await body([OF_INFRA]), 'nereid_review')).status).toBe(403);
  });

  test('on the console’s own machine, all of it', async () => {
    const { decode } = await withCodec({ isLocal: true, login: { policy: { mode: 'local' } } });

    expect(await decode([OF_NONE, OF_BOTH])).toEqual([OF_NONE, OF_BOTH]);
  });

  test('and what nobody here can open as it is, beside the rest', async () => {
    const { ask } = await withCodec();
    const [foreign = {}] = await createPayloadCodec({ seals: OTHER, opens: [OTHER] }).encode([payloadOf(OF_INFRA)]);
    const clear = payloadOf('clear');
    const [own = {}] = await codec.encode([payloadOf(OF_INFRA)]);

    const answer = await ask(bodyOf([foreign, clear, own]), 'nereid_reader');

    const { payloads } = (await answer.json()) as { payloads: unknown[] };
    expect(payloads).toEqual([written(foreign), written(clear), written(payloadOf(OF_INFRA))]);
  });
});

const LONG = {
  ...OF_INFRA,
  waiting: Array.from({ length: 1_000 }, (_, index) => ({ title: `change ${index}`, sha: sha(index) })),
};

describe('a long message is compressed', () => {
  test('and, where it is sealed, shown to those who may read it', async () => {
    const { decode } = await withCodec();

    expect(await decode([LONG, { ...LONG, ...OF_BOTH }], 'nereid_reader')).toEqual([LONG, 'sealed']);
  });

  test('and, where nothing is sealed, unpacked by a console without a key for everybody who may ask it', async () => {
    const { ask } = await withCodec({ codec: { codec: keyless, uiOrigin: UI } });
    const stored = await keyless.encode([payloadOf(LONG), payloadOf(OF_INFRA)]);
    expect(stored[0]?.data?.length).toBeLessThan(payloadOf(LONG).data?.length ?? 0);

    const answer = await ask(bodyOf(stored), 'nereid_reader');

    const { payloads } = (await answer.json()) as { payloads: unknown[] };
    expect(payloads).toEqual([written(payloadOf(LONG)), written(payloadOf(OF_INFRA))]);
  });

  test('and stays as it is where it would grow without bounds', async () => {
    const { ask } = await withCodec();
    const bomb = {
      metadata: { encoding: Buffer.from('binary/zlib') },
      data: deflateSync(Buffer.alloc(4 * 1_024 * 1_024)),
    };

    const answer = await ask(bodyOf([bomb]), 'nereid_operator');

    expect(await answer.json()).toEqual({ payloads: [written(bomb)] });
  });
});

const keyless = createPayloadCodec({ seals: undefined, opens: [] });

/** Nobody can compress it further. */
function sha(index: number): string {
  return createHash('sha1').update(String(index)).digest('hex');
}

const OTHER = new Secret(randomBytes(32).toString('base64'));

describe('other people', () => {
  test.each([
    ['who shows nothing', undefined, 404],
    ['whose token is none', 'nereid_none', 401],
  ])('a person %s sees no payload', async (_who, token, status) => {
    const { ask } = await withCodec();

    const answer = await ask(await body([OF_INFRA]), token);

    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain('subnet');
  });
});

describe('a browser asks', () => {
  test('from Temporal’s UI, with the cookies of the console', async () => {
    const { ask, url } = await withCodec();
    const headers = { origin: UI, 'access-control-request-method': 'POST' };

    const before = await fetch(`${url}/codec/decode`, { method: 'OPTIONS', headers });
    const answer = await ask(await body([OF_INFRA]), 'nereid_reader', UI);

    expect([before.status, answer.status]).toEqual([204, 200]);
    for (const { headers: of } of [before, answer]) {
      expect(of.get('access-control-allow-origin')).toBe(UI);
      expect(of.get('access-control-allow-credentials')).toBe('true');
      expect(of.get('vary')).toContain('origin');
    }
    expect(before.headers.get('access-control-allow-headers')).toContain('x-namespace');
  });

  test('from no other page', async () => {
    const { ask, url } = await withCodec();
    const origin = 'https://evil.example';

    const before = await fetch(`${url}/codec/decode`, { method: 'OPTIONS', headers: { origin } });
    const answer = await ask(await body([OF_INFRA]), 'nereid_reader', origin);

    expect([before.status, answer.status]).toEqual([403, 403]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(await answer.text()).not.toContain('subnet');
  });
});

describe('a request that is none', () => {
  test.each([
    ['no JSON', '{'],
    ['no payloads', '{}'],
    ['no base64', '{"payloads":[{"data":"?"}]}'],
    ['too many', JSON.stringify({ payloads: Array.from({ length: 2_001 }, () => ({})) })],
  ])('gets a sentence: %s', async (_what, text) => {
    const { ask } = await withCodec();

    const answer = await ask(text, 'nereid_reader');

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: expect.stringMatching(/^Expected payloads as Temporal/) });
  });

  test('that is too large is refused', async () => {
    const { ask } = await withCodec();

    expect((await ask(`{"payloads":[{"data":"${'A'.repeat(5_000_000)}"}]}`, 'nereid_reader')).status).toBe(413);
  });

  test('to seal something is told that nothing is sealed here', async () => {
    const { url } = await withCodec();

    const answer = await fetch(`${url}/codec/encode`, { method: 'POST', body: '{}' });

    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('POST /codec/decode')]);
  });
});

/** GitHub lets everybody read everything but `secret`. */
async function withCodec(outside: Outside = {}) {
  const askAccess = lettingIn(({ name }) => name !== 'secret');
  const console = await aConsole({
    codec: { codec, uiOrigin: UI },
    operators: ['Olga'],
    login: { policy: undefined, tokens: TOKENS, askAccess },
    ...outside,
  });
  const ask = (text: string, token?: string, origin?: string) =>
    fetch(`${console.url}/codec/decode`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-namespace': 'default',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(origin !== undefined && { origin }),
      },
      body: text,
    });
  return {
    ...console,
    ask,
    decode: async (values: readonly unknown[], token?: string) => {
      const answer = await ask(await body(values), token);
      const { payloads } = (await answer.json()) as { payloads: { metadata: Record<string, string>; data: string }[] };
      return payloads.map(({ metadata, data }) => {
        const encoding = Buffer.from(metadata['encoding'] ?? '', 'base64');
        if (encoding.toString() === 'binary/encrypted') return 'sealed';
        return defaultPayloadConverter.fromPayload({ metadata: { encoding }, data: Buffer.from(data, 'base64') });
      });
    },
  };
}

function aToken(
  token: string,
  login: string,
  scopes: ApiToken['scopes'],
  repositories: readonly string[] = ['*/*'],
): ApiToken {
  return { name: token, sha256: hashOfToken(token), login, scopes, repositories, expires: '2999-01-01T00:00:00.000Z' };
}

async function body(values: readonly unknown[]): Promise<string> {
  return bodyOf(await codec.encode(values.map(payloadOf)));
}

function bodyOf(payloads: readonly Payload[]): string {
  return JSON.stringify({ payloads: payloads.map(written) });
}

function written({ metadata, data }: Payload) {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const notes = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)]);
  return { metadata: Object.fromEntries(notes) as Record<string, string>, data: base64(data ?? new Uint8Array()) };
}

function payloadOf(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value);
}
