import { beforeEach, expect, test } from '@jest/globals';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder, collect } from '../testing.ts';
import { createTakenDeliveries, type TakenDeliveries } from './taken-deliveries.ts';

const BODY = { digest: 'ab'.repeat(32), at: new Date('2026-11-21T23:59:59Z') };

let store: ObjectStore;
let deliveries: TakenDeliveries;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  deliveries = createTakenDeliveries(store);
});

test('of several deliveries of one body, the first one takes it, and takes it again when it is tried again', async () => {
  const all = ['a', 'b', 'c'];

  const taken = await Promise.all(all.map((delivery) => createTakenDeliveries(store).markTaken(BODY, delivery)));

  const [first = ''] = taken;
  expect(all).toContain(first);
  expect(new Set(taken).size).toBe(1);
  expect(await deliveries.markTaken(BODY, first)).toBe(first);
});

test('another body is taken, although it happened at the same moment', async () => {
  await deliveries.markTaken(BODY, 'a');

  expect(await deliveries.markTaken({ ...BODY, digest: 'cd'.repeat(32) }, 'b')).toBe('b');
});

test('marks go by the day on which the webhook happened', async () => {
  await deliveries.markTaken(BODY, 'a');
  await deliveries.markTaken({ ...BODY, at: new Date('2026-11-22T00:00:00Z') }, 'b');

  await deliveries.forget(new Date('2026-11-22T12:00:00Z'));

  expect(await collect(store.list('taken/'))).toEqual([`taken/2026-11-22/${BODY.digest}`]);
});

test('a body that does not say when it happened is never forgotten', async () => {
  const undated = { ...BODY, at: undefined };
  expect(await deliveries.takerOf(undated)).toBeUndefined();
  await deliveries.markTaken(undated, 'a');

  await deliveries.forget(new Date('2126-11-22T12:00:00Z'));

  expect(await deliveries.takerOf(undated)).toBe('a');
  expect(await deliveries.markTaken(undated, 'b')).toBe('a');
});

test('a mark that cannot be read is a broken record', async () => {
  await store.put(`taken/2026-11-21/${BODY.digest}`, Buffer.from('{'));

  await expect(deliveries.markTaken(BODY, 'a')).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
});
