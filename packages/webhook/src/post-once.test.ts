import { endless, openReceiver, silence, status, type Receiver } from '@nereid/test-kit/receiver';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { reasonOf } from './errors.ts';
import { postOnce } from './post-once.ts';

/** A receiver that answers may be slow on a busy machine. */
const PATIENCE_MS = 60_000;

let receiver: Receiver;

beforeEach(async () => {
  receiver = await openReceiver();
});

afterEach(() => receiver.close());

const post = ({ answerMs = PATIENCE_MS, readsBody = true } = {}) =>
  postOnce({ answerMs, readsBody }, () => Promise.resolve({ url: receiver.url, headers: { 'x-a': 'b' }, body: '{}' }));

test('a request arrives once, and the beginning of its answer is read if it is asked for', async () => {
  receiver.always(status(200, 'taken'));

  expect(await post()).toEqual({ status: 200, isTaken: true, body: 'taken' });
  expect(receiver.received()).toMatchObject([{ method: 'POST', headers: { 'x-a': 'b' }, body: '{}' }]);
  expect(await post({ readsBody: false })).toEqual({ status: 200, isTaken: true, body: '' });
});

test('a redirect is an answer, wherever it leads', async () => {
  const inside = await openReceiver();
  receiver.always(status(307, '', { location: inside.url }));

  expect(await post()).toEqual({ status: 307, isTaken: false, body: '' });
  expect(inside.received()).toEqual([]);
  await inside.close();
});

test('a refusal has its pause, and nothing of its text', async () => {
  receiver.always(status(429, 'a secret', { 'retry-after': '7' }));

  expect(await post()).toEqual({ status: 429, isTaken: false, body: '', retryAfter: '7' });
});

test('an answer without end is read up to 64 KiB', async () => {
  receiver.always(endless);

  expect((await post()).body).toHaveLength(64 * 1024);
});

test('the time is that of the whole attempt, also of what the request needs first', async () => {
  receiver.always(silence);

  const late = post({ answerMs: 300 }).catch(reasonOf);
  const unprepared = postOnce({ answerMs: 300, readsBody: false }, () => new Promise(() => undefined)).catch(reasonOf);

  expect(await Promise.all([late, unprepared])).toEqual(['TimeoutError', 'TimeoutError']);
});
