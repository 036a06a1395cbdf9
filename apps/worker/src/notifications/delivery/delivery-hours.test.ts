/** Quiet hours, digests, and what is said once: with an outbox in a folder, and a clock that the test sets. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Destination } from '@nereid/config';
import type { Notification, NotificationTopic } from '@nereid/domain/notification';
import type { Answer, Sender } from '@nereid/notifications';
import { createOutbox, type Outbox } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { deliver } from './deliver.ts';
import { HeldBack } from './held-back.ts';

const HOUR_MS = 3_600_000;
const NIGHT = { fromMs: 18 * HOUR_MS, toMs: 8 * HOUR_MS, timezone: 'UTC', passing: [] } as const;

const OPS: Destination = {
  name: 'ops',
  target: { kind: 'webhook', url: 'https://hooks.example.org', secretFile: '/s' },
  when: ['failed', 'waits-for-person'],
  repositories: [],
  roots: [],
};
const QUIET: Destination = { ...OPS, quiet: NIGHT };
const ALARM: Destination = {
  ...OPS,
  target: { kind: 'pagerduty', url: 'https://alerts.example.org', secretFile: '/s' },
  quiet: { ...NIGHT, passing: ['failed', 'succeeded'] },
};
const DIGEST: Destination = {
  ...OPS,
  target: { kind: 'email', url: 'smtp://localhost', from: 'n@example.org', to: [] },
  digest: { atMs: 9 * HOUR_MS, timezone: 'UTC' },
};

const store = storeOfEachTest();
let outbox: Outbox;
let heldBack: HeldBack;
let read: string[];
let nowMs: number;
let sent: string[];
let counted: string[];
let ages: number[];

beforeEach(() => {
  const stored = createOutbox(store);
  outbox = {
    ...stored,
    async read(each) {
      const notification = await stored.read(each);
      read.push(notification?.id ?? 'gone');
      return notification;
    },
  };
  heldBack = new HeldBack();
  [sent, counted, ages, read] = [[], [], [], []];
  clock('2026-11-22T20:00');
});

function clock(time: string): void {
  nowMs = Date.parse(`${time}:00.000Z`);
}

function run(destination: Destination, ...answers: readonly Answer[]): Promise<number> {
  const left = [...answers];
  const answerTo = (words: string) => {
    sent.push(words);
    return Promise.resolve(left.shift() ?? ({ kind: 'delivered' } as const));
  };
  const sender: Sender = {
    subjectOf: ({ id, root }) => root?.name ?? id,
    send: ({ id }, { isAnnounced }) => answerTo(isAnnounced ? id : `(${id})`),
    sendDigest: ({ notifications }) => answerTo(notifications.map(({ id }) => id).join('+')),
  };
  const tools = {
    ...{ outbox, workerId: 'w1', paceMs: 0, now: () => nowMs, signal: new AbortController().signal },
    logger: { warn: () => undefined },
    onDelivery: (_destination: string, result: string) => void counted.push(result),
    onOldest: (_destination: string, ageMs: number) => void ages.push(ageMs),
  };
  return deliver(destination, sender, tools, heldBack);
}

/** A minute after the last one. `root` is also the deployment; without one, it is about `revision`. */
async function keep(id: string, type: NotificationTopic, root?: string, revision = 'a'): Promise<void> {
  nowMs += 60_000;
  const at = new Date(nowMs).toISOString();
  const about: Partial<Notification> = root
    ? {
        repository: 'acme/infra',
        root: { name: root, directory: root },
        deployment: { id: root + revision, status: 'queued', trigger: 'merge', revision: revision.repeat(40) },
      }
    : { about: `workflow-${revision}` };
  await outbox.keep('ops', { version: 1, id, type, at, sentence: 's', links: {}, ...about }, new Date(nowMs));
}

const waiting = async () => (await outbox.listWaiting('ops', 100)).length;

test('in quiet hours nothing is sent and nothing is dropped; at their end, everything is sent in order', async () => {
  await keep('a', 'failed');
  await keep('b', 'waits-for-person');
  const untilMs = await run(QUIET);
  expect({ sent, ends: new Date(nowMs + untilMs).toISOString() }).toEqual({
    sent: [],
    ends: '2026-11-23T08:00:00.000Z',
  });

  clock('2026-11-23T08:00');
  await run(QUIET);

  expect(sent).toEqual(['a', 'b']);
  expect(await waiting()).toBe(0);
});

test('a destination that is left alone is not late, and is late from the end of its quiet hours on', async () => {
  await keep('a', 'failed');
  await run(QUIET);
  clock('2026-11-23T09:00');
  await run(QUIET, { kind: 'later', reason: 'answered 500' });

  expect(ages.slice(0, 2)).toEqual([0, HOUR_MS]);
});

test('what was held back for a night is still tried for a day', async () => {
  await keep('a', 'failed');
  clock('2026-11-23T21:00');
  await run({ ...QUIET, quiet: { ...NIGHT, fromMs: 22 * HOUR_MS } });

  expect(sent).toEqual(['a']);
});

test('an alarm for a failure is raised in quiet hours, and what wakes nobody waits', async () => {
  await keep('a', 'waits-for-person', 'network');
  await keep('b', 'failed', 'app');
  await run(ALARM);
  expect(sent).toEqual(['b']);

  clock('2026-11-23T08:00');
  await run(ALARM);
  expect(sent).toEqual(['b', 'a']);
});

test('what waits for the end of quiet hours is read once, however often others pass', async () => {
  await keep('a', 'waits-for-person', 'network');
  await run(ALARM);
  await keep('b', 'failed', 'app');
  await run(ALARM);
  expect(read).toEqual(['a', 'b']);

  await keep('c', 'failed', 'network');
  await run(ALARM);

  expect({ sent, read }).toEqual({ sent: ['b', 'c'], read: ['a', 'b', 'c'] });
  expect(await waiting()).toBe(0);
});

test('what passes overtakes nothing that came later', async () => {
  nowMs += 60_000;
  await keep('later', 'waits-for-person', 'network');
  await run(ALARM);
  nowMs -= 120_000;
  await keep('before', 'failed', 'network');
  await run(ALARM);

  expect(sent).toEqual(['before']);
  expect(await waiting()).toBe(1);
});

test('what was overtaken in quiet hours raises no alarm afterwards', async () => {
  await keep('a', 'waits-for-person', 'network');
  await keep('b', 'succeeded', 'network');
  await run(ALARM);

  expect(sent).toEqual(['(b)']);
  expect(counted).toEqual(['delivered', 'skipped']);
  expect(await waiting()).toBe(0);
});

test.each([
  ['deployment', ['a', 'c', 'd', 'e', 'f']],
  ['rollout', ['a', 'd', 'e']],
  ['day', ['a', 'c', 'd', 'f']],
] as const)('of each topic, a %s is said once', async (oncePer, expected) => {
  const destination = { ...OPS, oncePer };
  await keep('a', 'waits-for-person', 'network');
  await keep('b', 'waits-for-person', 'network');
  await keep('c', 'waits-for-person', 'app');
  await keep('d', 'failed', 'network');
  await keep('e', 'failed', 'network', 'b');
  clock('2026-11-23T10:00');
  await keep('f', 'failed', 'app', 'b');

  await run(destination);

  expect(sent).toEqual(expected);
  expect(await waiting()).toBe(0);
});

test.each(['deployment', 'rollout', 'day'] as const)(
  'what is about no root is said each time, not once a %s',
  async (oncePer) => {
    await keep('a', 'stuck');
    await keep('b', 'stuck');

    await run({ ...OPS, when: ['stuck'], oncePer });

    expect(sent).toEqual(['a', 'b']);
  },
);

test('what was kept for a digest alone is not sent where the file has no digest any more', async () => {
  await keep('a', 'failed', 'network');
  await keep('b', 'succeeded', 'app');

  const { digest: _digest, ...each } = DIGEST;
  await run(each);

  expect(sent).toEqual(['a']);
  expect(counted).toEqual(['delivered', 'skipped']);
  expect(await waiting()).toBe(0);
});

test('a message that is edited hears of what it says once', async () => {
  const target = { kind: 'slack', url: 'https://slack.example.org', channel: 'C0123ABCD', secretFile: '/s' } as const;
  await keep('a', 'failed', 'network');
  await keep('b', 'failed', 'app');

  await run({ ...OPS, target, oncePer: 'rollout' });

  expect(sent).toEqual(['a', '(b)']);
});

test('a digest is one message at its time, about what waits and what failed', async () => {
  await keep('over', 'waits-for-person', 'over');
  await keep('waits', 'waits-for-person', 'waits');
  await keep('failed', 'failed', 'failed');
  await keep('ended', 'succeeded', 'over');
  await run(DIGEST);
  expect(sent).toEqual([]);

  clock('2026-11-23T09:00');
  await run(DIGEST);

  expect(sent).toEqual(['failed+waits']);
  expect(counted).toEqual(['delivered']);
  expect(await waiting()).toBe(0);
});

test('there is no digest where everything is over', async () => {
  await keep('waits', 'waits-for-person', 'over');
  await keep('ended', 'succeeded', 'over');
  clock('2026-11-23T09:00');
  await run(DIGEST);

  expect(sent).toEqual([]);
  expect(await waiting()).toBe(0);
});

test('a digest says nothing of what was stuck and goes on', async () => {
  await keep('stuck', 'stuck', undefined, 'w1');
  await keep('other', 'stuck', undefined, 'w2');
  await keep('goes on', 'resumed', undefined, 'w1');
  clock('2026-11-23T09:00');
  await run({ ...DIGEST, when: ['stuck'] });

  expect(sent).toEqual(['other']);
});

test('a digest of a worker that is killed before everything is removed is not sent again', async () => {
  await keep('waits', 'waits-for-person', 'waits');
  clock('2026-11-23T09:00');
  const whole = outbox;
  outbox = { ...whole, remove: () => Promise.reject(new Error('killed')) };
  await expect(run(DIGEST)).rejects.toThrow('killed');
  outbox = whole;

  await run(DIGEST);

  expect(sent).toEqual(['waits']);
  expect(await waiting()).toBe(0);
});

test('a digest that is not taken is tried again, and one that is refused waits for a person', async () => {
  await keep('a', 'failed');
  clock('2026-11-23T09:00');
  const pauseMs = await run(DIGEST, { kind: 'later', reason: 'no answer' });
  nowMs += pauseMs;
  await run(DIGEST, { kind: 'refused', reason: 'answered 550' });
  expect(sent).toEqual(['a', 'a']);
  expect(await waiting()).toBe(0);

  await outbox.sendAgain('ops', 100, new Date(nowMs));
  clock('2026-11-24T09:00');
  await run(DIGEST);

  expect(sent).toEqual(['a', 'a', 'a']);
});
