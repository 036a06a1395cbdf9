import { expect, test } from '@jest/globals';
import type { ReviewedBefore } from '../plan/merge-review.ts';
import { aMergeReview } from '../testing/envelopes.ts';
import { aRoot } from '../testing/samples.ts';
import type { Deployment } from './model.ts';
import { hasExpired, orderBody, orderOf } from './order.ts';
import { plannedFor } from './job/plan-outcome.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const DEPLOYMENT: Deployment = {
  id: 'd1',
  requestId: 'r1',
  root: aRoot(),
  revision: { sha: 'b'.repeat(40), branch: 'main', position: 1, title: 'A change', author: 'ada' },
  trigger: 'merge',
  rerun: false,
  force: false,
  requestedBy: 'ada',
  receivedAt: '2026-11-21T08:00:00.000Z',
  progress: { status: 'queued', times: {}, jobs: {} },
  checkRuns: [],
};

const REVIEWED: ReviewedBefore = { review: aMergeReview() };

test.each([{}, { requestedById: 7 }, { reviewed: REVIEWED }, { orderedAt: '2026-11-21T08:00:00.000Z' }])(
  'an order has everything that a deployment keeps of it, and nothing of its progress: %j',
  (more) => {
    const { receivedAt: _then, progress: _its, checkRuns: _nor, ...ordered } = { ...DEPLOYMENT, ...more };

    const { body, signature } = orderOf(REPOSITORY, { ...DEPLOYMENT, ...more, order: 'of intake' });

    expect(body).toEqual({ ...ordered, version: 1, repository: REPOSITORY });
    expect(signature).toBe('of intake');
  },
);

test('a workflow that knows an older installation carries an order as it was signed', () => {
  const ordered = { ...DEPLOYMENT, installationId: REPOSITORY.installationId };
  const known = { ...REPOSITORY, installationId: REPOSITORY.installationId - 1 };

  expect(orderBody(known, ordered)).toEqual(orderBody(REPOSITORY, DEPLOYMENT));
  expect(orderBody(known, DEPLOYMENT)).not.toEqual(orderBody(REPOSITORY, DEPLOYMENT));
});

test('what has no ids says in JSON what it said before there were any', () => {
  expect(JSON.stringify(orderBody(REPOSITORY, DEPLOYMENT))).not.toContain('requestedById');
});

test('a plan that was made before the merge is signed for its preview, and no other plan is', () => {
  const merged = { ...DEPLOYMENT, order: 'its order', reviewed: REVIEWED };
  const own = { deploymentId: 'd1', order: 'its order' };

  expect(plannedFor(merged, { beforeMerge: true })).toEqual({
    deploymentId: 'preview',
    order: REVIEWED.review.body.order,
  });
  expect(plannedFor(merged, {})).toEqual(own);
  expect(plannedFor({ id: 'd1', order: 'its order' }, { beforeMerge: true })).toEqual(own);
});

test.each<[string, Parameters<typeof hasExpired>[0]]>([
  ['an order of a deployment', { expiresAt: '2026-11-21T08:00:00.000Z' }],
  ['an order of a preview', { preview: { headSha: '', baseSha: '', expiresAt: '2026-11-21T08:00:00.000Z' } }],
  ['an order to free a lock', { unlocking: { expiresAt: '2026-11-21T08:00:00.000Z' } }],
])('%s ends when it says', (_what, order) => {
  const endMs = Date.parse('2026-11-21T08:00:00.000Z');

  expect([endMs, endMs + 1].map((nowMs) => hasExpired(order, nowMs))).toEqual([false, true]);
});

test.each([{}, { expiresAt: '' }, { expiresAt: 'never' }])(
  'an order that does not say when it ends has ended: %j',
  (order) => {
    expect(hasExpired(order, 0)).toBe(true);
  },
);
