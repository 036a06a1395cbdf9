import { describe, expect, test } from '@jest/globals';
import { NOW, progressAs } from '../testing.ts';
import { isReturnedEnd } from './returned-end.ts';

const END = {
  progress: { ...progressAs('succeeded'), jobs: { apply: { id: '1-apply-1', startedAt: NOW } } },
  checkRuns: [{ id: 1, completed: true }],
  reported: { digest: 'shown' },
};

describe('what a workflow returned', () => {
  test.each([
    END,
    { ...END, untold: [] },
    { ...END, untold: [{ id: '1-apply-1:SUCCESS' }], notice: { sentence: 'x' } },
  ])('is an end: %j', (end) => {
    expect(isReturnedEnd(end)).toBe(true);
  });

  test.each([
    ...[undefined, null, 7, 'x', {}, [END]],
    ...[null, {}, progressAs('planning'), { status: 'succeeded' }].map((progress) => ({ ...END, progress })),
    ...[undefined, 7, [null], [{}]].map((checkRuns) => ({ ...END, checkRuns })),
    ...[null, 7, [null], [{}]].map((untold) => ({ ...END, untold })),
    { ...END, reported: null },
    { ...END, notice: 7 },
  ])('is none: %j', (odd) => {
    expect(isReturnedEnd(odd)).toBe(false);
  });
});
