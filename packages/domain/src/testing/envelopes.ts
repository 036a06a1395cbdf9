/** What people asked for, in envelopes, as rules take it: they cannot verify who signed it. */
import type { Unlock } from '../deployment/lock.ts';
import type { Notice } from '../deployment/notice.ts';
import type { Failure, HostFailure } from '../host/failure.ts';
import type { BreakGlass } from '../plan/break-glass.ts';
import type { MergeReview } from '../plan/merge-review.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { PlanReview, ReviewExtension } from '../plan/review.ts';
import type { Signed } from '../signed.ts';
import type { Cancel } from '../deployment/model.ts';

/** Where the time does not matter to a test. */
const AT = '2026-01-31T14:00:00.000Z';

function enclosed<Body>(body: Body): Signed<Body> {
  return { body, signature: 'signed' };
}

export function aCancel(more: Partial<Cancel> = {}): Signed<Cancel> {
  return enclosed({ version: 1, requestId: 'cancel-1', deploymentId: '1', by: 'carol', askedAt: AT, ...more });
}

export function anUnlock(more: Partial<Unlock> = {}): Signed<Unlock> {
  const lane = { repository: { owner: 'acme', name: 'infra' }, rootName: 'network' };
  return enclosed({ version: 1, requestId: 'unlock-1', ...lane, by: 'carol', askedAt: AT, ...more });
}

export function aNotice(more: Partial<Notice> = {}): Signed<Notice> {
  return enclosed({ version: 1, deploymentId: '1', sentence: 'Too late.', ...more });
}

export function aPress(more: Partial<PlanReview> = {}): Signed<PlanReview> {
  const plan = { deploymentId: '1', digest: '0123456789abcdef'.repeat(4) };
  return enclosed({ version: 1, requestId: 'press-1', ...plan, answer: 'approved', by: 'grace', at: AT, ...more });
}

export function anOverride(more: Partial<PolicyOverride> = {}): Signed<PolicyOverride> {
  const plan = { deploymentId: '1', digest: '0123456789abcdef'.repeat(4) };
  return enclosed({ version: 1, requestId: 'override-1', ...plan, policies: ['cost'], by: 'olga', at: AT, ...more });
}

export function aBreakGlass(more: Partial<BreakGlass> = {}): Signed<BreakGlass> {
  const of = { repository: { owner: 'acme', name: 'infra' }, deploymentId: '1' };
  const until = '2026-01-31T16:00:00.000Z';
  return enclosed({
    version: 1,
    requestId: 'glass-1',
    ...of,
    reason: 'the site is down',
    by: 'ada',
    at: AT,
    until,
    ...more,
  });
}

export function anExtension(more: Partial<ReviewExtension> = {}): Signed<ReviewExtension> {
  const plan = { deploymentId: '1', digest: '0123456789abcdef'.repeat(4) };
  const until = '2026-02-14T14:00:00.000Z';
  return enclosed({ version: 1, requestId: 'extension-1', ...plan, until, by: 'grace', at: AT, ...more });
}

export function aMergeReview(more: Partial<MergeReview> = {}): Signed<MergeReview> {
  const what = { rootName: 'network', pullRequest: 12, previewId: 'preview', order: 'the order of the preview' };
  const plan = { digest: '0123456789abcdef'.repeat(4), tree: 'd'.repeat(40), lane: 'never applied' };
  return enclosed({ version: 1, requestId: 'press:network', ...what, ...plan, by: 'grace', at: AT, ...more });
}

export function aFailure(more: Partial<Failure> = {}): Signed<HostFailure> {
  const of = { deploymentId: '1', order: 'its order' };
  return enclosed({ version: 1, ...of, summary: 'exit code 1', lines: [], ...more });
}
