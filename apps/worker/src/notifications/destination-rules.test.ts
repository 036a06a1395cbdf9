import { expect, test } from '@jest/globals';
import { FRESH_DESTINATION, isStuck, type DestinationState, type Notification } from '@nereid/domain/notification';
import { RETRY_AFTER_LIMIT_MS, type Answer } from '@nereid/notifications';
import { afterAnswer, afterDigest, held, noteAbout, pauseLeft, released, tooMuch } from './destination-rules.ts';

const NOW_MS = Date.parse('2026-11-22T10:00:00.000Z');
const HOUR_MS = 3_600_000;

const WAITING = { key: 'outbox/ops/waiting/x.json', arrivedMs: NOW_MS, digest: 'abc' };
const NOTIFICATION: Notification = {
  ...{ version: 1, id: 'n1', type: 'failed', at: '2026-11-22T10:00:00.000Z', sentence: 'Failed', links: {} },
  repository: 'acme/infra',
  deployment: { id: 'd1', status: 'apply-failed', trigger: 'merge', revision: 'a'.repeat(40) },
};

const SUBJECT = 'acme/infra@abc';

const LATER: Answer = { kind: 'later', reason: 'answered 500' };

const after = (state: DestinationState, answer: Answer, nowMs = NOW_MS) =>
  afterAnswer(state, { waiting: WAITING, notification: NOTIFICATION, subject: SUBJECT }, answer, nowMs);

test('one worker delivers at a time, and another one takes over a minute after it was heard of last', () => {
  const state = held(FRESH_DESTINATION, 'a', NOW_MS) ?? FRESH_DESTINATION;

  expect(held(state, 'b', NOW_MS + 59_000)).toBeUndefined();
  expect(held(state, 'a', NOW_MS + 59_000)).toBeDefined();
  expect(held(state, 'b', NOW_MS + 60_000)?.holder?.id).toBe('b');
  expect(held(released(state), 'b', NOW_MS)?.holder?.id).toBe('b');
});

test('a worker whose clock was wrong holds a destination up for no longer than a minute or two', () => {
  const state = held(FRESH_DESTINATION, 'a', NOW_MS + 365 * 24 * HOUR_MS) ?? FRESH_DESTINATION;

  expect(held(state, 'b', NOW_MS)?.holder?.id).toBe('b');
  expect(pauseLeft(after(FRESH_DESTINATION, LATER, NOW_MS + 365 * 24 * HOUR_MS), NOW_MS)).toBe(0);
});

test('pauses grow from seconds to ten minutes, and are as long as the destination asks for', () => {
  const pauses: number[] = [];
  let state = FRESH_DESTINATION;
  for (let n = 0; n < 10; n += 1) {
    state = after(state, LATER);
    pauses.push(pauseLeft(state, NOW_MS) / 1_000);
  }

  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
  expect(pauseLeft(after(FRESH_DESTINATION, { ...LATER, retryAfterMs: 90_000 }), NOW_MS)).toBe(90_000);
  expect(pauseLeft(after(FRESH_DESTINATION, { ...LATER, retryAfterMs: 0 }), NOW_MS)).toBe(5_000);
});

test('the longest pause that a destination may ask for is kept', () => {
  const state = after(FRESH_DESTINATION, { ...LATER, retryAfterMs: RETRY_AFTER_LIMIT_MS });

  expect(pauseLeft(state, NOW_MS)).toBe(RETRY_AFTER_LIMIT_MS);
});

test('a destination that fails for an hour is stuck, until it takes something or refuses it', () => {
  const early = after(after(FRESH_DESTINATION, LATER), LATER, NOW_MS + HOUR_MS - 1);
  const stuck = after(early, LATER, NOW_MS + HOUR_MS);

  expect([early, stuck].map(isStuck)).toEqual([false, true]);
  expect(isStuck(after(stuck, { kind: 'delivered' }, NOW_MS + HOUR_MS))).toBe(false);
  expect(isStuck(after(stuck, { kind: 'refused', reason: 'answered 404' }, NOW_MS + HOUR_MS))).toBe(false);
});

test('what was delivered is settled, and what was refused is not, because it may be sent again', () => {
  expect(after(FRESH_DESTINATION, { kind: 'delivered' }).settled).toEqual(['abc']);
  const refused = after(FRESH_DESTINATION, { kind: 'refused', reason: 'answered 404' });
  expect(refused.settled).toEqual([]);
  expect(refused.refused).toEqual({ id: 'n1', at: '2026-11-22T10:00:00.000Z', reason: 'answered 404' });
});

test('the last note about a subject counts, until an empty one takes it away', () => {
  const first = after(FRESH_DESTINATION, { kind: 'delivered', note: 'thread 1' });
  const second = after(first, { kind: 'delivered', note: 'thread 1, edited' });

  expect(noteAbout(second, SUBJECT)).toBe('thread 1, edited');
  expect(second.notes).toHaveLength(1);
  expect(noteAbout(after(second, { kind: 'delivered' }), SUBJECT)).toBe('thread 1, edited');
  expect(noteAbout(after(second, { kind: 'delivered', note: '' }), SUBJECT)).toBeUndefined();
});

test('a digest that has nothing to say leaves a destination failing, which nobody has heard of since', () => {
  const [sent, digests] = [{ kind: 'delivered' } as const, ['abc']];
  const failing = afterDigest(FRESH_DESTINATION, { id: 'one', digests }, { kind: 'later', reason: 'away' }, NOW_MS);

  const silent = afterDigest(failing, { id: 'two', digests }, undefined, NOW_MS + 1_000);

  expect(silent).toEqual({ ...failing, settled: digests });
  expect(afterDigest(silent, { id: 'three', digests }, sent, NOW_MS + 2_000)).not.toHaveProperty('failing');
});

test('all of a digest is known to be sent, however much it was, until it is removed', () => {
  const digests = Array.from({ length: 10_000 }, (_, n) => `n${n}`);
  const state = afterDigest(FRESH_DESTINATION, { id: 'digest', digests }, { kind: 'delivered' }, NOW_MS);

  expect(state.settled).toEqual(digests);
  expect(after(state, { kind: 'delivered' }).settled).toHaveLength(2_000);
});

test('the oldest are too much when more than 10,000 wait, and all that have waited for a day', () => {
  const waiting = Array.from({ length: 10_003 }, (_, n) => ({ ...WAITING, key: `k${n}`, arrivedMs: NOW_MS + n }));

  expect(tooMuch(waiting, 24 * HOUR_MS, NOW_MS).map(({ key }) => key)).toEqual(['k0', 'k1', 'k2']);
  expect(tooMuch([WAITING], 24 * HOUR_MS, NOW_MS + 24 * HOUR_MS)).toEqual([]);
  expect(tooMuch([WAITING], 24 * HOUR_MS, NOW_MS + 24 * HOUR_MS + 1)).toEqual([WAITING]);
});
