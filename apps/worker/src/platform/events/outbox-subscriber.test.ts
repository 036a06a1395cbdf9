import { beforeEach, expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import type { DeploymentEnded, DomainEvent } from '@nereid/domain/events';
import { deploymentAt, NOW, progressAs, REPOSITORY } from '@nereid/domain/testing';
import type { Outbox } from '@nereid/storage';
import { createOutboxSubscriber } from './outbox-subscriber.ts';

type Destination = ServerConfig['notifications'][number];

const OPS: Destination = {
  name: 'ops',
  target: { kind: 'webhook', url: 'https://hooks.example.org', secretFile: '/s' },
  when: ['failed'],
  repositories: [],
  roots: [],
};

let kept: string[];
let logged: object[];
let news: number;

beforeEach(() => {
  [kept, logged, news] = [[], [], 0];
});

const keepIt: Outbox['keep'] = (destination, { type }) => Promise.resolve(void kept.push(`${destination}: ${type}`));

/** A busy machine may take long. */
const PATIENCE_MS = 60_000;

const aSubscriber = (...args: Parameters<typeof anOutbox>) => anOutbox(...args).hear;

function anOutbox(
  keep = keepIt,
  notifications: readonly Destination[] = [OPS],
  patienceMs = PATIENCE_MS,
  flushMs = PATIENCE_MS,
) {
  return createOutboxSubscriber({
    server: { current: () => ({ notifications }) },
    outbox: { keep },
    pages: { toDeployment: () => ({}), toRollout: () => ({}) },
    logger: { error: (fields: object) => void logged.push(fields) },
    onKept: () => (news += 1),
    patienceMs,
    pauseMs: 1,
    flushMs,
  });
}

function anEnd(since = new Date().toISOString()): DeploymentEnded {
  const deployment = { ...deploymentAt(3), progress: progressAs('apply-failed') };
  const about = { repository: REPOSITORY, deployment, since, sentence: 'The apply failed' };
  return { kind: 'ended', status: 'apply-failed', id: 'e1', ...about };
}

test('a notification is stored for each destination that wants it, before anything goes on', async () => {
  const chat = { ...OPS, name: 'chat' };
  const other = { ...OPS, name: 'other', when: ['locked'] } as const;

  await aSubscriber(keepIt, [OPS, chat, other])(anEnd());

  expect(kept).toEqual(['ops: failed', 'chat: failed']);
  expect(news).toBe(2);
});

test('where the file names no destination, nothing is made of an event', async () => {
  const untouched = new Proxy({} as DomainEvent, {
    get: () => {
      throw new Error('expected nobody to look at the event');
    },
  });

  await aSubscriber(keepIt, [])(untouched);

  expect(kept).toEqual([]);
});

test('storage that fails is tried again, and storage that hangs holds up nothing for long', async () => {
  let failures = 2;
  const fails: Outbox['keep'] = (...args) => {
    failures -= 1;
    return failures < 0 ? keepIt(...args) : Promise.reject(new Error('away'));
  };
  await aSubscriber(fails)(anEnd());
  await aSubscriber(() => new Promise(() => undefined), [OPS], 20)(anEnd());

  expect(kept).toEqual(['ops: failed']);
  expect(logged).toEqual([]);
});

test('before its end, a worker waits for storage to take what is on its way, and not for storage that hangs', async () => {
  const storage = Promise.withResolvers<undefined>();
  const slow = anOutbox((...args) => storage.promise.then(() => keepIt(...args)), [OPS], 1);
  await slow.hear(anEnd());
  const flushed = slow.flush();
  storage.resolve(undefined);
  await flushed;
  expect(kept).toEqual(['ops: failed']);

  const hanging = anOutbox(() => new Promise(() => undefined), [OPS], 1, 20);
  await hanging.hear(anEnd());
  await hanging.flush();

  expect(logged).toEqual([{ count: 1 }]);
});

test('an event that is published again is stored once by this worker', async () => {
  const hear = aSubscriber();
  const event = anEnd();

  await hear(event);
  await hear(event);

  expect(kept).toEqual(['ops: failed']);
});

test('a state that has lasted for days is no news', async () => {
  await aSubscriber()(anEnd(NOW));

  expect(kept).toEqual([]);
});

test('a time that is none makes no notification, and throws nothing that holds up a deployment', async () => {
  await aSubscriber()(anEnd('yesterday'));

  expect(kept).toEqual([]);
  expect(logged).toHaveLength(1);
});
