import { createHmac } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrailEvent } from '@nereid/domain/trail';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { anEventWithId, aRefusal } from '../fixtures/an-event.ts';
import { openAudit } from '../open-audit.ts';
import { probeAudit } from '../probe-audit.ts';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { endless, openReceiver, silence, status, type Received, type Receiver } from '@nereid/test-kit/receiver';
import { timeoutsWithoutStalls } from '@nereid/test-kit/timeouts-without-stalls';

const [SECRET, NEXT] = ['a', 'b'].map((letter) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`) as [
  string,
  string,
];

/** A receiver that answers may be slow on a busy machine. */
const PATIENTLY = { attempts: 2, answerMs: 60_000, pauseMs: 1 };

/** Longer than a test may take. */
const NEVER_MS = 3_600_000;

/** Only for receivers that never answer. */
const QUICKLY = { ...PATIENTLY, answerMs: 300 };

const folder = folderOfEachTest();
let secretFile: string;
let receiver: Receiver;

beforeEach(async () => {
  secretFile = join(folder, 'secret');
  await writeFile(secretFile, `${SECRET}\n`);
  receiver = await openReceiver();
});

afterEach(async () => {
  jest.useRealTimers();
  await receiver.close();
});

const record = async (event: TrailEvent = anEventWithId('job-1:RUNNING'), http = PATIENTLY) => {
  const { audit } = await openAudit({ to: `webhook:${receiver.url}/events`, secretFile }, { http });
  await audit.record(event);
};

/** Where nobody listens any more. */
async function nowhere(): Promise<string> {
  const gone = await openReceiver();
  await gone.close();
  return gone.url;
}

const first = () => receiver.first();

/** As a receiver does it. */
function verified(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>); // Each of them once.
}

test('an event arrives whole, and its signature is that of Standard Webhooks', async () => {
  await record();

  const { method, path, headers, body } = first();
  const { 'webhook-id': id = '', 'webhook-timestamp': sentAt = '' } = headers;
  const hmac = createHmac('sha256', Buffer.alloc(32, 'a')).update(`${String(id)}.${String(sentAt)}.${body}`);
  expect([method, path, id]).toEqual(['POST', '/events', 'job-1:RUNNING']);
  expect(headers['webhook-signature']).toBe(`v1,${hmac.digest('base64')}`);
  expect(verified(SECRET, first())).toEqual(anEventWithId('job-1:RUNNING'));
  expect(() => verified(NEXT, first())).toThrow('No matching signature');
});

test('while one secret replaces another both sign, and no restart is needed', async () => {
  await writeFile(secretFile, `${SECRET}\n${NEXT}\n`);
  await record();

  expect(verified(SECRET, first())).toEqual(verified(NEXT, first()));
});

test('an event keeps its id when it is sent again, also one that no header could have', async () => {
  const event = aRefusal('delivery-1:prod.näher:REFUSED');
  receiver.meet(status(500));
  await record(event);

  const ids = receiver.received().map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), ids[0]]);
  expect(verified(SECRET, first())).toEqual(event);
});

describe('a receiver that is ill', () => {
  test.each([
    ['is broken', status(503), 'status 503', 2],
    ['is too busy', status(429), 'status 429', 2],
    ['refuses', status(403), 'status 403', 1],
    ['sends elsewhere', status(302, '', { location: 'https://elsewhere.example.org' }), 'status 302', 1],
    ['never answers', silence, 'TimeoutError', 2],
  ])('and %s has not recorded the event', async (_what, answer, reason, requests) => {
    receiver.always(answer);
    timeoutsWithoutStalls();

    await expect(record(undefined, answer === silence ? QUICKLY : PATIENTLY)).rejects.toThrow(
      `cannot record the audit event job-1:RUNNING in webhook:${new URL(receiver.url).host}: ${reason}; record it again`,
    );
    expect(receiver.received()).toHaveLength(requests);
  });

  test('and talks without end holds up nobody', async () => {
    receiver.always(endless);

    await record(undefined, { ...PATIENTLY, answerMs: NEVER_MS });

    expect(receiver.received()).toHaveLength(1);
  });

  test('and cannot be reached says why, and never the path of its URL', async () => {
    const { audit } = await openAudit(
      { to: `webhook:${await nowhere()}/a-secret-path`, secretFile },
      { http: PATIENTLY },
    );

    await expect(audit.record(anEventWithId('x'))).rejects.toThrow(
      /^cannot record the audit event x in webhook:127\.0\.0\.1:\d+: ECONNREFUSED; record it again$/,
    );
  });
});

test.each([
  ['is not there', undefined, 'found that it cannot be read (ENOENT)'],
  ['is empty', '\n', 'found 0 lines; make one by: echo "whsec_$(openssl rand -base64 32)"'],
  ['has another text', `${SECRET}\nhunter2\n`, 'found another text in line 2'],
])('a file of secrets that %s is shown by nobody, and sends nothing', async (_what, text, sentence) => {
  await (text === undefined ? rm(secretFile) : writeFile(secretFile, text));

  await expect(record()).rejects.toThrow(sentence);
  await expect(record()).rejects.not.toThrow(/hunter2|whsec_YW/);
  expect(receiver.received()).toEqual([]);
});

describe('a probe', () => {
  const probe = (url = receiver.url) => probeAudit({ to: `webhook:${url}/events`, secretFile });

  test('takes any answer for a server that is there, and records nothing', async () => {
    receiver.always(status(405));

    expect(await probe()).toEqual({ name: `webhook:${new URL(receiver.url).host}`, kind: 'usable' });
    expect(receiver.received().map(({ method, body }) => [method, body])).toEqual([['HEAD', '']]);
  });

  test('finds that nobody is there, which may pass, or that the secret is wrong, which may not', async () => {
    expect(await probe(await nowhere())).toMatchObject({
      kind: 'unusable',
      sentence: expect.stringMatching(
        /^expected webhook:127\.0\.0\.1:\d+ to answer, found that it did not \(ECONNREFUSED\)/,
      ),
      mayPass: true,
    });
    await writeFile(secretFile, 'hunter2');
    expect(await probe()).toMatchObject({ kind: 'unusable', mayPass: false });
  });
});
