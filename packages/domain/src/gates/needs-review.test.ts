import { describe, expect, test } from '@jest/globals';
import { NO_CHANGES, type PlanSummary } from '../plan/summary.ts';
import { needsReview } from './needs-review.ts';

describe('a person reviews', () => {
  const changes = { hasChanges: true, summary: summary({ update: 1 }) };
  const none = { hasChanges: false, summary: summary() };

  test('every plan with changes where the root requires it', () => {
    expect(needsReview(changes, { planReview: 'required' }, false)).toBe(true);
  });

  test('no plan where the root says auto', () => {
    expect(needsReview(changes, { planReview: 'auto' }, false)).toBe(false);
  });

  test.each(['delete', 'replace', 'forget'] as const)(
    'a plan that would %s, where the root says auto_unless_destroy',
    (action) => {
      const plan = { hasChanges: true, summary: summary({ [action]: 1 }) };

      expect(needsReview(plan, { planReview: 'auto_unless_destroy' }, false)).toBe(true);
    },
  );

  test.each(['auto', 'auto_unless_destroy', 'before_merge'] as const)(
    'a plan that would do what nobody knows, where the root says %s',
    (policy) => {
      const plan = { hasChanges: true, summary: summary({ unknown: 1 }) };

      expect(needsReview(plan, { planReview: policy }, false)).toBe(true);
    },
  );

  test.each(['auto', 'auto_unless_destroy', 'before_merge'] as const)(
    'a plan that may be of something else than its people think, where the root says %s',
    (policy) => {
      const plan = { ...changes, doubt: 'the workspace default has no state' };

      expect(needsReview(plan, { planReview: policy }, false)).toBe(true);
      expect(needsReview({ ...plan, hasChanges: false }, { planReview: policy }, false)).toBe(false);
    },
  );

  test('no plan that only updates, where the root says auto_unless_destroy', () => {
    expect(needsReview(changes, { planReview: 'auto_unless_destroy' }, false)).toBe(false);
  });

  test.each(['auto', 'auto_unless_destroy'] as const)(
    'whatever the root says (%s), when the deployment requires it',
    (policy) => {
      expect(needsReview(changes, { planReview: policy }, true)).toBe(true);
    },
  );

  test('no plan without changes, whoever requires it', () => {
    expect(needsReview(none, { planReview: 'required' }, true)).toBe(false);
  });
});

function summary(more: Partial<PlanSummary> = {}): PlanSummary {
  return { ...NO_CHANGES, resources: [], omitted: 0, ...more };
}
