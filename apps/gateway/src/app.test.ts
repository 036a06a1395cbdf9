import { createHash, createPublicKey } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createVerifier, openEnvelope } from '@nereid/signature';
import { aComment, anExample, aPush, withField } from './events/payload.fixture.ts';
import {
  answerOf,
  deliver,
  KEYS,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './gateway.fixture.ts';
import type { Started } from '@nereid/process';
import { BODY_LIMIT } from './webhook/webhook-route.ts';

const SIGNATURE_SENTENCE =
  'expected X-Hub-Signature-256 to be the HMAC of the body with the webhook secret; set the same secret here and on GitHub';

let gateway: TestGateway | undefined;

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

describe('a webhook that is taken', () => {
  test('is answered 202 after Temporal accepted it, with the few fields that intake needs', async () => {
    const { url, started } = await open();

    const response = await deliver(url, 'push', aPush());

    expect(await answerOf(response)).toEqual({ status: 202, message: 'accepted' });
    expect(started).toEqual([
      {
        body: {
          version: 1,
          delivery: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
          receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          bodyDigest: createHash('sha256').update(JSON.stringify(aPush())).digest('hex'),
          event: expect.objectContaining({ kind: 'push', branch: 'main' }),
        },
        signature: expect.any(String),
      },
    ]);
  });

  test('is signed, so that nobody else can say what GitHub said', async () => {
    const { url, started } = await open();

    await deliver(url, 'push', aPush());

    const [received] = started;
    if (received === undefined) throw new Error('expected an event, found none');
    const verifier = createVerifier([createPublicKey(KEYS.publicKey)]);
    await expect(openEnvelope(verifier, 'event/github', received, {})).resolves.toBeDefined();
  });

  test('a second time is answered duplicate', async () => {
    const { url } = await open({ startIntake: () => Promise.resolve({ kind: 'duplicate' }) });

    expect(await answerOf(await deliver(url, 'push', aPush()))).toEqual({ status: 202, message: 'duplicate' });
  });

  test('while Temporal is away is answered 503 with Retry-After', async () => {
    const { url } = await open({
      startIntake: () => Promise.resolve({ kind: 'unavailable', cause: new Error('away'), nothingStarted: false }),
    });

    const response = await deliver(url, 'push', aPush());

    expect(response.headers.get('Retry-After')).toBe('30');
    expect(await answerOf(response)).toEqual({
      status: 503,
      message: 'Temporal did not take the event, so nothing will follow from it; redeliver it later',
    });
  });

  test('is judged by the branch that the server configured', async () => {
    const { url, started } = await open({ repositories: '[{ match: "*/*", branch: release }]' });

    const main = await deliver(url, 'push', aPush());
    const release = await deliver(url, 'push', withField(aPush(), 'ref', 'refs/heads/release'));

    expect(await answerOf(main)).toEqual({ status: 202, message: 'ignored: the push is not to the branch release' });
    expect(await answerOf(release)).toMatchObject({ message: 'accepted' });
    expect(started).toHaveLength(1);
  });
});

describe('a webhook that is ignored', () => {
  test.each([
    ['of a repository that no match fits', '[{ match: acme/* }]', 'push', aPush(), 'ignored: not allowed'],
    [
      'of an event that we do not act on',
      '[{ match: "*/*" }]',
      'star',
      anExample('star'),
      'ignored: we do not act on events of this kind',
    ],
    [
      'of an event nobody knows',
      '[{ match: "*/*" }]',
      'unheard_of',
      {},
      'ignored: we do not act on events of this kind',
    ],
    [
      'of an event whose name has a digit',
      '[{ match: "*/*" }]',
      'projects_v2_item',
      {},
      'ignored: we do not act on events of this kind',
    ],
    [
      'of an event without a repository',
      '[{ match: acme/* }]',
      'installation',
      anExample('installation'),
      'ignored: the installations are looked up when they are needed',
    ],
    [
      'of talk between people',
      '[{ match: "*/*" }]',
      'issue_comment',
      aComment('hello'),
      'ignored: the comment does not begin with nereid',
    ],
  ])('%s is answered 202 with the reason, and starts nothing', async (_what, repositories, event, payload, message) => {
    const { url, started } = await open({ repositories });

    expect(await answerOf(await deliver(url, event, payload))).toEqual({ status: 202, message });
    expect(started).toEqual([]);
  });

  test('is matched in whatever case of letters', async () => {
    const { url } = await open({ repositories: '[{ match: CODERTOCAT/hello-* }]' });

    expect(await answerOf(await deliver(url, 'push', aPush()))).toMatchObject({ message: 'accepted' });
  });
});

describe('a webhook that is refused starts nothing, and the process lives', () => {
  const payload = JSON.stringify(aPush());
  const WRONG = `sha256=${'0'.repeat(64)}`;

  test.each([
    [
      'no event',
      payload,
      { 'X-GitHub-Event': undefined },
      400,
      'expected the header X-GitHub-Event with the name of an event',
    ],
    [
      'an odd event',
      payload,
      { 'X-GitHub-Event': 'push; x' },
      400,
      'expected the header X-GitHub-Event with the name of an event',
    ],
    [
      'no delivery id',
      payload,
      { 'X-GitHub-Delivery': undefined },
      400,
      'expected the header X-GitHub-Delivery with a UUID',
    ],
    [
      'a delivery id that is none',
      payload,
      { 'X-GitHub-Delivery': '../../x' },
      400,
      'expected the header X-GitHub-Delivery with a UUID',
    ],
    [
      'a delivery id without end',
      payload,
      { 'X-GitHub-Delivery': 'a'.repeat(65) },
      400,
      'expected the header X-GitHub-Delivery with a UUID',
    ],
    [
      'no signature',
      payload,
      { 'X-Hub-Signature-256': undefined },
      400,
      'expected the header X-Hub-Signature-256; set a secret for the webhook on GitHub',
    ],
    [
      'only a SHA-1 signature',
      payload,
      { 'X-Hub-Signature-256': undefined, 'X-Hub-Signature': 'sha1=00' },
      400,
      'expected the header X-Hub-Signature-256; set a secret for the webhook on GitHub',
    ],
    ['a short signature', payload, { 'X-Hub-Signature-256': 'sha256=00' }, 401, SIGNATURE_SENTENCE],
    ['a wrong signature', payload, { 'X-Hub-Signature-256': WRONG }, 401, SIGNATURE_SENTENCE],
    ['a wrong signature on what is no JSON', '{', { 'X-Hub-Signature-256': WRONG }, 401, SIGNATURE_SENTENCE],
    ['what is no JSON', '{', {}, 400, "expected JSON; set the webhook's content type on GitHub to application/json"],
    ['an empty body', '', {}, 400, "expected JSON; set the webhook's content type on GitHub to application/json"],
    [
      'brackets without end',
      '['.repeat(1_000_000),
      {},
      400,
      "expected JSON; set the webhook's content type on GitHub to application/json",
    ],
    [
      'JSON that is no payload',
      '[]',
      {},
      400,
      'the event push cannot be read: the payload: Invalid input: expected object, received array',
    ],
    [
      'a field missing',
      JSON.stringify(withField(aPush(), 'after', undefined)),
      {},
      400,
      'the event push cannot be read: after: Invalid input: expected string, received undefined',
    ],
    [
      'a field of the wrong type',
      JSON.stringify(withField(aPush(), 'repository', 5)),
      {},
      400,
      'the event push cannot be read: repository: Invalid input: expected object, received number',
    ],
    ['an encoded body', payload, { 'Content-Encoding': 'gzip' }, 415, 'expected a body without Content-Encoding'],
  ])('a webhook with %s is refused', async (_what, body, headers, status, message) => {
    const { url, started } = await open();

    expect(await answerOf(await deliver(url, 'push', body, headers))).toEqual({ status, message });
    expect(started).toEqual([]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('more than 25 MiB, before it is read', async () => {
    const { url, started } = await open();

    const response = await deliver(url, 'push', 'x'.repeat(BODY_LIMIT + 1));

    expect(await answerOf(response)).toEqual({ status: 413, message: 'expected a body of at most 26214400 bytes' });
    expect(started).toEqual([]);
  });

  test('exactly 25 MiB is not too much', async () => {
    const { url } = await open();
    const payload = JSON.stringify(aPush());

    const response = await deliver(url, 'push', payload + ' '.repeat(BODY_LIMIT - Buffer.byteLength(payload)));

    expect(await answerOf(response)).toMatchObject({ status: 202 });
  });

  test.each([
    ['without a signature', ''],
    ['with what is no signature', 'X-Hub-Signature-256: sha256=00\r\n'],
  ])('a webhook %s is refused, although its body never comes', async (_how, signature) => {
    const { url } = await open();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const headers = `X-GitHub-Event: push\r\nX-GitHub-Delivery: d\r\n${signature}`;

    socket.write(`POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n${headers}\r\n{"ref"`);

    expect(await text(socket)).toMatch(/^HTTP\/1.1 40[01] [^]*connection: close/i);
  });

  test('a connection that breaks off', async () => {
    const { url, started } = await open();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');

    socket.end('POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"ref"');
    await text(socket);

    expect(started).toEqual([]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

test('a bug is answered 500 without its details, and logged with them', async () => {
  const { url, log } = await open({ startIntake: () => Promise.reject(new Error('the details')) });

  const response = await deliver(url, 'push', aPush());

  expect(await answerOf(response)).toEqual({ status: 500, message: 'something went wrong here; the log says what' });
  expect(log.join('')).toContain('the details');
});

test('other routes are answered 404 with a sentence, and nothing says what we are built with', async () => {
  const { url } = await open();

  const response = await fetch(`${url}/`);

  expect(response.headers.has('X-Powered-By')).toBe(false);
  expect(await answerOf(response)).toEqual({
    status: 404,
    message: 'expected POST /events, GET /healthz or GET /readyz',
  });
});

describe('what operators see', () => {
  test('a line per webhook, with what became of it, without its signature', async () => {
    const { url, log } = await open();

    await deliver(url, 'push', aPush());

    expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        msg: 'webhook',
        delivery: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
        event: 'push',
        repository: 'Codertocat/Hello-World',
        outcome: 'accepted',
      }),
    ]);
    expect(log.join('')).not.toContain('sha256=');
  });

  test('webhooks are counted by event and outcome; events nobody knows have one label together', async () => {
    const { url, context } = await open();

    await deliver(url, 'push', aPush());
    await deliver(url, 'made_up', {});
    await deliver(url, 'push', '{', {});

    const metrics = await context.metrics.registry.metrics();
    expect(metrics).toContain('nereid_webhooks_total{event="push",outcome="accepted"} 1');
    expect(metrics).toContain('nereid_webhooks_total{event="other",outcome="ignored"} 1');
    expect(metrics).toContain('nereid_webhooks_total{event="push",outcome="refused"} 1');
    expect(metrics).toContain('nereid_hand_over_seconds_count 1');
  });
});

describe('readiness', () => {
  test('is there while Temporal answers', async () => {
    const { url } = await open();

    expect(await answerOf(await fetch(`${url}/readyz`))).toEqual({ status: 200, message: 'ready' });
  });

  test('is gone while Temporal does not answer; the process is alive all the same', async () => {
    const { url } = await open({ isTemporalReachable: () => Promise.resolve(false) });

    expect(await answerOf(await fetch(`${url}/readyz`))).toEqual({
      status: 503,
      message: 'not ready: Temporal does not answer',
    });
    expect(await answerOf(await fetch(`${url}/healthz`))).toEqual({ status: 200, message: 'alive' });
  });

  test('is gone while the process stops', async () => {
    const { url, context } = await open();

    context.stopping.abort();

    expect(await answerOf(await fetch(`${url}/readyz`))).toEqual({ status: 503, message: 'not ready: stopping' });
  });
});

test('a webhook in flight is finished before the process stops, and no other is taken', async () => {
  const temporal = Promise.withResolvers<Started>();
  const arrived = Promise.withResolvers<undefined>();
  gateway = await startTestGateway({
    startIntake: () => {
      arrived.resolve(undefined);
      return temporal.promise;
    },
  });
  const inFlight = deliver(gateway.url, 'push', aPush());
  await arrived.promise;

  const closed = gateway.close(10_000);
  await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  temporal.resolve({ kind: 'accepted' });

  expect(await answerOf(await inFlight)).toEqual({ status: 202, message: 'accepted' });
  await closed;
  gateway = undefined;
});

async function open(options?: TestGatewayOptions): Promise<TestGateway> {
  gateway = await startTestGateway(options);
  return gateway;
}
