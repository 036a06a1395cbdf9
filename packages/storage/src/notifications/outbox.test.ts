import { beforeEach, expect, test } from '@jest/globals';
import { FRESH_DESTINATION, type Notification } from '@nereid/domain/notification';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder, collect } from '../testing.ts';
import { createOutbox, type Outbox } from './outbox.ts';

const T1 = new Date('2026-11-22T10:00:00.000Z');
const T2 = new Date('2026-11-22T10:00:01.000Z');

let store: ObjectStore;
let outbox: Outbox;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  outbox = createOutbox(store);
});

function aNotification(id: string): Notification {
  return { version: 1, id, type: 'stuck', at: T1.toISOString(), sentence: 'Stuck', links: {} };
}

async function waitingIds(destination = 'ops'): Promise<readonly unknown[]> {
  const waiting = await outbox.listWaiting(destination, 10);
  return Promise.all(waiting.map(async (each) => (await outbox.read(each))?.id));
}

test('notifications wait for each destination in the order in which they came', async () => {
  await outbox.keep('ops', aNotification('late'), T2);
  await outbox.keep('ops', aNotification('early'), T1);
  await outbox.keep('chat', aNotification('other'), T1);

  expect(await waitingIds()).toEqual(['early', 'late']);
  expect(await waitingIds('chat')).toEqual(['other']);
});

test('a notification that is kept again is recognised, whenever that is', async () => {
  await outbox.keep('ops', aNotification('a'), T1);
  await outbox.keep('ops', aNotification('a'), T2);

  const digests = (await outbox.listWaiting('ops', 10)).map(({ digest }) => digest);

  expect(new Set(digests).size).toBe(1);
});

test('what a destination refused waits again once somebody has it sent again, with its own id', async () => {
  await outbox.keep('ops', aNotification('a'), T1);
  const [waiting] = await outbox.listWaiting('ops', 1);
  if (waiting) await outbox.setAside('ops', waiting, aNotification('a'));
  expect(await waitingIds()).toEqual([]);

  expect(await outbox.sendAgain('ops', 10, T2)).toBe(1);

  expect(await waitingIds()).toEqual(['a']);
  expect(await outbox.sendAgain('ops', 10, T2)).toBe(0);
});

test('what cannot be read keeps nothing else from being sent again', async () => {
  for (const id of ['broken', 'sound']) {
    await outbox.keep('ops', aNotification(id), T1);
    const [waiting] = await outbox.listWaiting('ops', 1);
    if (waiting) await outbox.setAside('ops', waiting, aNotification(id));
    const [refused = ''] = await collect(store.list('outbox/ops/refused/'));
    if (id === 'broken') await store.put(refused, Buffer.from('{'));
  }

  expect(await outbox.sendAgain('ops', 10, T2)).toBe(1);

  expect(await waitingIds()).toEqual(['sound']);
});

test('refused notifications are forgotten by the time at which they came', async () => {
  await outbox.keep('ops', aNotification('a'), T1);
  const [waiting] = await outbox.listWaiting('ops', 1);
  if (waiting) await outbox.setAside('ops', waiting, aNotification('a'));

  await outbox.forgetRefused('ops', T1.getTime());
  expect(await collect(store.list('outbox/ops/refused/'))).toHaveLength(1);

  await outbox.forgetRefused('ops', T2.getTime());
  expect(await collect(store.list('outbox/ops/refused/'))).toEqual([]);
});

test('a state that is broken begins anew, and can be replaced', async () => {
  await store.put('outbox/ops/state.json', Buffer.from('{'));

  const found = await outbox.readState('ops');

  expect(found?.state).toEqual({ version: 1, settled: [], dropped: 0, notes: [] });
  expect(await outbox.writeState('ops', { ...FRESH_DESTINATION, dropped: 1 }, found?.version)).toBeDefined();
});

test('of two workers that write the state of a destination, one learns that it was not the first', async () => {
  const state = FRESH_DESTINATION;
  expect(await outbox.readState('ops')).toBeUndefined();

  const first = await outbox.writeState('ops', state, undefined);

  expect(await outbox.writeState('ops', { ...state, dropped: 7 }, undefined)).toBeUndefined();
  expect(await outbox.readState('ops')).toEqual(first);
  expect(await outbox.writeState('ops', { ...state, dropped: 1 }, first?.version)).toMatchObject({
    state: { dropped: 1 },
  });
});
