import { endless, openReceiver, silence, status, type Receiver } from '@nereid/test-kit/receiver';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { reasonOf } from './errors.ts';
import { getOnce } from './get-once.ts';

/** A receiver that answers may be slow on a busy machine. */
const PATIENCE_MS = 60_000;

let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver();
});

afterEach(() => receiver.close());

const get = ({ answerMs = PATIENCE_MS, readsBody = true } = {}) =>
  getOnce({ answerMs, readsBody }, () => Promise.resolve({ url: `${receiver.url}/a?b=c`, headers: { 'x-a': 'b' } }));

test('a request arrives once, and the beginning of any answer is read if it is asked for', async () => {
  receiver.always(status(500, 'broken'));

  expect(await get()).toEqual({ status: 500, body: 'broken' });
  expect(receiver.received()).toMatchObject([{ method: 'GET', path: '/a?b=c', headers: { 'x-a': 'b' }, body: '' }]);
  expect(await get({ readsBody: false })).toEqual({ status: 500, body: '' });
});

test('a redirect is an answer, wherever it leads', async () => {
  const inside = await openReceiver();
  receiver.always(status(302, '', { location: inside.url }));

  expect(await get()).toEqual({ status: 302, body: '' });
  expect(inside.received()).toEqual([]);
  await inside.close();
});

test('an answer without end is read up to 64 KiB, or not at all', async () => {
  receiver.always(endless);

  expect((await get()).body).toHaveLength(64 * 1024);
  expect(await get({ readsBody: false })).toEqual({ status: 200, body: '' });
});

test('the time is that of the whole attempt, also of what the request needs first', async () => {
  receiver.always(silence);

  const late = get({ answerMs: 300 }).catch(reasonOf);
  const unprepared = getOnce({ answerMs: 300, readsBody: false }, () => new Promise(() => undefined)).catch(reasonOf);

  expect(await Promise.all([late, unprepared])).toEqual(['TimeoutError', 'TimeoutError']);
});
