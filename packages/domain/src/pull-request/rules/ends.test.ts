import { expect, test } from '@jest/globals';
import { addEnd, awaitEnds, endsDueAt, endsShown, forgetEnds, NO_ENDS } from './ends.ts';

const OTHERS_MS = 10_000;

test('nothing is to be shown before a preview ends', () => {
  expect(endsDueAt(awaitEnds(NO_ENDS, ['a', 'b']), OTHERS_MS)).toBe(Infinity);
});

test('the last end has all of them shown at once', () => {
  const ends = addEnd(addEnd(awaitEnds(NO_ENDS, ['a', 'b']), 'a', 1_000), 'b', 2_000);

  expect(endsDueAt(ends, OTHERS_MS)).toBeLessThanOrEqual(2_000);
  expect(endsDueAt(endsShown(ends), OTHERS_MS)).toBe(Infinity);
});

test('a slow preview hides the others for some seconds only, however often they end', () => {
  const ends = addEnd(addEnd(awaitEnds(NO_ENDS, ['a', 'b', 'slow']), 'a', 1_000), 'b', 5_000);

  expect(endsDueAt(ends, OTHERS_MS)).toBe(1_000 + OTHERS_MS);
});

test('a preview that ends before it is known to be under way is not waited for', () => {
  const ends = awaitEnds(addEnd(forgetEnds(NO_ENDS), 'a', 1_000), ['a']);

  expect(endsDueAt(ends, OTHERS_MS)).toBe(1_000);
});

test('as long as nobody knows what is under way, each end is shown at once', () => {
  const ends = addEnd(forgetEnds(awaitEnds(NO_ENDS, ['a', 'b'])), 'a', 1_000);

  expect(endsDueAt(ends, OTHERS_MS)).toBe(1_000);
});

test('an end of an unknown preview does not wait when no other is under way', () => {
  expect(endsDueAt(addEnd(NO_ENDS, undefined, 1_000), OTHERS_MS)).toBe(1_000);
});
