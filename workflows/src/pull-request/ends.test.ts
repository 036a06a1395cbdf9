import { expect, test } from '@jest/globals';
import { createEnds } from './ends.ts';

const OTHERS_MS = 10_000;

test('nothing is to be shown before a preview ends', () => {
  const ends = createEnds(OTHERS_MS);
  ends.await(['a', 'b']);

  expect(ends.showAt).toBe(Infinity);
});

test('the last end has all of them shown at once', () => {
  const ends = createEnds(OTHERS_MS);
  ends.await(['a', 'b']);
  ends.add('a', 1_000);
  ends.add('b', 2_000);

  expect(ends.showAt).toBeLessThanOrEqual(2_000);
  ends.shown();
  expect(ends.showAt).toBe(Infinity);
});

test('a slow preview hides the others for some seconds only, however often they end', () => {
  const ends = createEnds(OTHERS_MS);
  ends.await(['a', 'b', 'slow']);
  ends.add('a', 1_000);
  ends.add('b', 5_000);

  expect(ends.showAt).toBe(1_000 + OTHERS_MS);
});

test('a preview that ends before it is known to be under way is not waited for', () => {
  const ends = createEnds(OTHERS_MS);
  ends.forget();
  ends.add('a', 1_000);
  ends.await(['a']);

  expect(ends.showAt).toBe(1_000);
});

test('as long as nobody knows what is under way, each end is shown at once', () => {
  const ends = createEnds(OTHERS_MS);
  ends.await(['a', 'b']);
  ends.forget();
  ends.add('a', 1_000);

  expect(ends.showAt).toBe(1_000);
});

test('an end of an unknown preview does not wait when no other is under way', () => {
  const ends = createEnds(OTHERS_MS);
  ends.add(undefined, 1_000);

  expect(ends.showAt).toBe(1_000);
});
