import { beforeEach, expect, test } from '@jest/globals';
import type { DomainEvent, StateEvent } from '@nereid/domain/events';
import { deploymentAt, NOW, REPOSITORY } from '@nereid/domain/testing';
import { pino } from 'pino';
import { forgedEvent } from './forged-event.ts';
import { ForgedError } from '@nereid/signature';
import { createPublish, type Subscriber } from './publish.ts';

const FORGED = forgedEvent(new ForgedError('decision/review', 'no signature'), 'd1');

let heard: string[];

beforeEach(() => {
  heard = [];
});

const listener =
  (name: string): Subscriber =>
  ({ id }) =>
    void heard.push(`${name}: ${id}`);

function aState(sentence: string, n = 3): StateEvent {
  const deployment = deploymentAt(n);
  const about = { repository: REPOSITORY, deployment, since: NOW, sentence };
  return { kind: 'queued', id: `${deployment.id}:${sentence}`, ...about };
}

function publishTo(waitedFor: Subscriber, other: Subscriber, logged: object[] = []) {
  const logger = { ...pino({ level: 'silent' }), error: (fields: object) => void logged.push(fields) };
  return createPublish({ waitedFor: [waitedFor], others: [other, listener('last')] }, logger);
}

test('events are heard in order, and each by those first for whom everything waits', async () => {
  const late: Subscriber = async (event) => {
    await Promise.resolve();
    await listener('trail')(event);
  };

  await publishTo(late, listener('log'))(aState('a'), aState('b'));

  const id = deploymentAt(3).id;
  expect(heard).toEqual(['a', 'b'].flatMap((one) => ['trail', 'log', 'last'].map((who) => `${who}: ${id}:${one}`)));
});

test('an event that could not be kept is heard by nobody, so that another attempt is counted once', async () => {
  let failures = 1;
  const away: Subscriber = () => {
    failures -= 1;
    return failures < 0 ? undefined : Promise.reject(new Error('the topic is away'));
  };
  const publish = publishTo(away, listener('metrics'));

  await expect(publish(FORGED)).rejects.toThrow('the topic is away');
  expect(heard).toEqual([]);

  await publish(FORGED);
  expect(heard).toEqual([`metrics: ${FORGED.id}`, `last: ${FORGED.id}`]);
});

test.each<[string, Subscriber]>([
  ['throws', () => expect('this').toBe('not heard')],
  ['fails later', () => Promise.reject(new Error('away'))],
])('a log that %s holds up neither the event nor the others', async (_how, log) => {
  const logged: object[] = [];
  const publish = publishTo(listener('trail'), log, logged);

  await publish(FORGED);
  await publish(FORGED);

  expect(heard).toEqual(
    Array(2)
      .fill([`trail: ${FORGED.id}`, `last: ${FORGED.id}`])
      .flat(),
  );
  expect(logged).toMatchObject([{ event: FORGED.id }, { event: FORGED.id }]);
});

test('nobody waits for those who only listen', async () => {
  const hangs: Subscriber = () => new Promise(() => undefined);

  await publishTo(listener('trail'), hangs)(FORGED);

  expect(heard).toHaveLength(2);
});

test('a state that is shown again is heard once, and each change of it, also back to one that was there before', async () => {
  const publish = publishTo(
    () => undefined,
    () => undefined,
  );
  const events: readonly DomainEvent[] = [aState('a'), aState('b', 4), aState('a'), aState('c'), aState('a')];

  for (const event of events) await publish(event);

  expect(heard.map((line) => line.at(-1))).toEqual(['a', 'b', 'c', 'a']);
});
