/** Which rollouts are checked, and when: by a worker that begins, goes on, is killed, and meets what it cannot read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { REPOSITORY, shaAt } from '@nereid/domain/testing';
import { status } from '@nereid/test-kit/receiver';
import { pino } from 'pino';
import { createCheckRound, keepChecking } from './keep-checking.ts';
import { ID, openCheckedCanary, type CheckedCanary } from './testing.ts';

const { owner, name } = REPOSITORY;

let canary: CheckedCanary;

beforeEach(async () => {
  canary = await openCheckedCanary();
});

afterEach(() => canary.close());

test('rollouts whose storage does not answer hold up no other one, however many they are', async () => {
  canary.server.always(status(500));
  await canary.deploy();
  // More than all rounds ask at once.
  for (let other = 0; other < 50; other += 1)
    await canary.context.waveCheckRecords.add(REPOSITORY, `${shaAt(0)}/${other}`);
  const hangs = Promise.withResolvers<undefined>();
  const { rolloutRecords } = canary.context;
  const read: typeof rolloutRecords.read = (repository, id) =>
    id === ID ? rolloutRecords.read(repository, id) : hangs.promise;

  const stop = keepChecking({ ...canary.context, rolloutRecords: { ...rolloutRecords, read } }, 20, 200);

  while ((await canary.stored())?.state !== 'halted') await sleep(20);
  expect(canary.asked()).toBe(2);
  hangs.resolve(undefined);
  await stop();
});

test('records that are broken are warned of once, and hold up no rollout, however many they are', async () => {
  await canary.deploy();
  const broken = Array.from(
    { length: 200 },
    (_, other) => `checked-rollouts/${owner}/${name}/${shaAt(0)}/${other}.json`,
  );
  await Promise.all(broken.map((key) => canary.store.put(key, Buffer.from('{}'), { synced: false })));
  const warned: string[] = [];
  const write = (line: string) => void warned.push((JSON.parse(line) as { readonly key: string }).key);
  const checkSome = createCheckRound({ ...canary.context, logger: pino({ level: 'warn' }, { write }) });

  for (let round = 0; round < 4; round += 1) await checkSome();

  expect(await canary.gate()).toEqual({ kind: 'passes' });
  expect(warned.toSorted()).toEqual(broken.toSorted());
});

test('the list of rollouts that are checked mends itself, whenever somebody waits', async () => {
  await canary.deploy();
  for (const key of (await canary.context.waveCheckRecords.list()).keys)
    await canary.context.waveCheckRecords.remove(key);
  await canary.gate();

  await canary.check();

  expect(await canary.gate()).toEqual({ kind: 'passes' });
});

test('a worker that was killed before it told anybody is made up for, with the same event', async () => {
  canary.server.always(status(500));
  await canary.deploy();
  await canary.check();
  const killed = { ...canary.context, publish: () => Promise.reject(new Error('killed')) };
  await createCheckRound(killed)();
  expect(await canary.stored()).toMatchObject({ state: 'halted' });

  await canary.check();

  expect(canary.events).toMatchObject([{ kind: 'halted' }]);
  expect(canary.asked()).toBe(2);
});

test('a rollout that is gone holds up no other, and is forgotten', async () => {
  await canary.deploy();
  await canary.context.waveCheckRecords.add(REPOSITORY, `${shaAt(0)}/gone`);

  await canary.check();

  expect(await canary.gate()).toEqual({ kind: 'passes' });
  expect(await canary.context.waveCheckRecords.list()).toEqual({ keys: [] });
});
