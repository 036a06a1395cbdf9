import { expect, test } from '@jest/globals';
import type { PullRequestLook } from '@nereid/domain/pull-request';
import { notRenewed, withStaleness } from './not-renewed.ts';

const LOOK: PullRequestLook = {
  isOpen: true,
  headSha: 'a'.repeat(40),
  baseBranch: 'main',
  at: '2026-01-31T14:02:00.000Z',
  previews: [],
};
const BLOCKING = { commentName: 'neptune', stale: 'block' } as const;

test('what people read of plans that may be out of date is kept with the look', () => {
  expect(withStaleness(notRenewed(LOOK, 'idle'), BLOCKING)).toEqual({
    ...LOOK,
    notRenewed: 'idle',
    remark: 'at rest for two weeks: comment `neptune plan` for a new plan',
    blocksStale: true,
  });
});

test('a look that says so already stays the same object, and one of another policy says so no more', () => {
  const kept = withStaleness(LOOK, BLOCKING);

  expect(withStaleness(kept, BLOCKING)).toBe(kept);
  expect(withStaleness(kept, { ...BLOCKING, stale: 'show' })).toEqual(LOOK);
});
