import { beforeEach, expect, test } from '@jest/globals';
import { FRESH_DESTINATION, type Notification } from '@nereid/domain/notification';
import { createOutbox, type Outbox } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { describeSentAgain, sendNotificationsAgain } from './send-notifications-again.ts';

const AT = '2026-11-22T10:00:00.000Z';
const REFUSED: Notification = { version: 1, id: 'a', type: 'failed', at: AT, sentence: 'Failed', links: {} };

const store = storeOfEachTest();
let outbox: Outbox;

beforeEach(async () => {
  outbox = createOutbox(store);
  await outbox.keep('ops', REFUSED, new Date(AT));
  const [waiting] = await outbox.listWaiting('ops', 1);
  if (waiting) await outbox.setAside('ops', waiting, REFUSED);
  const failing = { since: AT, attempts: 9, lastAt: AT, nextAt: AT, reason: 'answered 500' };
  await outbox.writeState(
    'ops',
    { ...FRESH_DESTINATION, failing, failingQueues: { acme: failing }, dropped: 3 },
    undefined,
  );
});

test('what was refused waits again, and nothing delays the next attempt', async () => {
  expect(await sendNotificationsAgain(outbox, 'ops')).toBe(1);

  expect(await outbox.listWaiting('ops', 10)).toHaveLength(1);
  expect((await outbox.readState('ops'))?.state).toEqual({ ...FRESH_DESTINATION, dropped: 3 });
});

test('while a worker stores what it has delivered, somebody has to ask again', async () => {
  const busy: Outbox = { ...outbox, writeState: () => Promise.resolve(undefined) };

  expect(await sendNotificationsAgain(busy, 'ops')).toBeUndefined();
});

test.each([
  [0, 'no notification had been refused'],
  [1, '1 refused notification waits again'],
  [2, '2 refused notifications wait again'],
])('%i of them are said as a sentence', (count, said) => {
  expect(describeSentAgain(count)).toBe(said);
});
