import { expect, test } from '@jest/globals';
import { isSeen, nothingSeen, remember, SEEN_LIMIT } from './seen.ts';
import { aRequest } from '../../../testing.ts';

const merge = aRequest(1);

test('a request is seen when its id was', () => {
  const seen = remember(nothingSeen, merge);

  expect(isSeen(seen, { ...aRequest(2), requestId: merge.requestId })).toBe(true);
});

test('a merge is seen when its revision was merged, whatever its id', () => {
  const seen = remember(nothingSeen, merge);

  expect(isSeen(seen, { ...merge, requestId: 'the reconciler' })).toBe(true);
});

test.each([
  ['a manual deployment', { trigger: 'manual' }],
  ['a rerun', { rerun: true }],
] as const)('%s of a revision that was merged is not seen, nor is a merge after it', (_kind, changes) => {
  const other = aRequest(1, { requestId: 'another', ...changes });

  expect(isSeen(remember(nothingSeen, merge), other)).toBe(false);
  expect(isSeen(remember(nothingSeen, other), merge)).toBe(false);
});

test(`the last ${SEEN_LIMIT} are remembered`, () => {
  const requests = Array.from({ length: SEEN_LIMIT + 1 }, (_, position) => aRequest(position));
  const seen = requests.reduce(remember, nothingSeen);

  expect(requests.map((request) => isSeen(seen, request))).toEqual([false, ...requests.slice(1).map(() => true)]);
  expect([seen.requestIds.length, seen.merges.length]).toEqual([SEEN_LIMIT, SEEN_LIMIT]);
});
