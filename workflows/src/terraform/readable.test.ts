import { expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { unreadable } from './readable.ts';
import { aCancel, anUnlock, aPress } from '@nereid/domain/testing';

const { body: review, signature } = aPress();

test('a message of this release can be read, with fields that a newer one may add', () => {
  expect(unreadable(MESSAGE.planReview, { body: { ...review, added: 1 }, signature })).toBeUndefined();
  expect(unreadable(MESSAGE.cancelling, aCancel())).toBeUndefined();
  expect(unreadable(MESSAGE.showAgain, { version: 1 })).toBeUndefined();
  expect(unreadable(MESSAGE.showAgain, { version: 1, unlocked: anUnlock() })).toBeUndefined();
});

test.each([
  ['nothing', undefined, 'expected an object as body, found nothing'],
  ['another version', { ...review, version: 2 }, 'expected version 1, found 2; upgrade the workers'],
  ['nobody', { ...review, by: undefined }, 'expected a text as by, found nothing'],
  ['no answer', { ...review, answer: 'perhaps' }, 'expected one of approved, rejected as answer, found "perhaps"'],
])('a review of %s cannot, and says why', (_what, message, why) => {
  expect(unreadable(MESSAGE.planReview, { body: message, signature })).toBe(why);
});

test('a lock that nobody lifted cannot, and says why', () => {
  const why = 'expected nothing or an object with body, signature as unlocked, found {"by":"ada"}';
  expect(unreadable(MESSAGE.showAgain, { version: 1, unlocked: { by: 'ada' } })).toBe(why);
});

test.each([
  ['is no envelope', { version: 1, by: 'ada' }, 'expected an object as body, found nothing'],
  ['has nothing in its envelope', { body: null, signature: 'a..b' }, 'expected an object as body, found null'],
  ['nobody signed', { body: aCancel().body }, 'expected a text as signature, found nothing'],
  ['is of another version', { ...aCancel(), body: { version: 2 } }, 'expected version 1, found 2; upgrade the workers'],
  ['does not say when', { ...aCancel(), body: { version: 1, by: 'ada' } }, 'expected a text as askedAt, found nothing'],
  ['names nobody', { ...aCancel(), body: { version: 1 } }, 'expected a text as by, found nothing'],
  ['is nothing', undefined, 'expected an envelope, found nothing'],
])('what a person asked cannot when it %s, and says why', (_what, message, why) => {
  expect(unreadable(MESSAGE.cancelling, message)).toBe(why);
});
