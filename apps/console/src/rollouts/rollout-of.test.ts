import { expect, test } from '@jest/globals';
import type { DeploymentSummary } from '@nereid/api';
import { rolloutOf, rolloutsOf } from './rollout-of.ts';

const AT = '2026-11-22T10:00:00.000Z';
const LATER = '2026-11-22T11:00:00.000Z';

test('those that need a person come first', () => {
  const rollout = rolloutOf([
    aSummary({ rootName: 'a', status: 'succeeded' }),
    aSummary({ rootName: 'b', status: 'queued' }),
    aSummary({ rootName: 'c', status: 'apply-failed' }),
    aSummary({ rootName: 'd', status: 'awaiting-review' }),
    aSummary({ rootName: 'e', status: 'rejected' }),
    aSummary({ rootName: 'f', status: 'applying' }),
  ]);

  expect(rollout?.deployments.map(({ rootName }) => rootName).join('')).toBe('dcfbea');
  expect(rollout?.counts).toEqual({ total: 6, done: 1, failed: 1, review: 1, working: 1, waiting: 1, left: 1 });
});

test('a re-run takes the place of what it re-runs', () => {
  const failed = aSummary({ status: 'plan-failed', endedAt: AT });
  const again = aSummary({ id: '2', status: 'succeeded', receivedAt: LATER });

  expect(rolloutOf([again, failed])?.deployments).toEqual([again]);
  expect(rolloutOf([failed, again])?.at).toBe(LATER);
});

test('the end of a deployment counts, although its lane still says that it runs', () => {
  const running = aSummary({ status: 'applying' });
  const ended = aSummary({ status: 'succeeded', endedAt: LATER });

  expect(rolloutOf([running, ended, running])?.deployments).toEqual([ended]);
});

test('nothing is no rollout', () => {
  expect(rolloutOf([])).toBeUndefined();
});

test('the newest revision comes first; the same commit in two repositories is two', () => {
  const sha = 'b'.repeat(40);
  const deployments = [
    aSummary({}),
    aSummary({ revision: { ...aSummary({}).revision, sha }, receivedAt: LATER }),
    aSummary({ repository: 'acme/other' }),
  ];

  const rollouts = rolloutsOf(deployments);

  expect(rollouts.map(({ repository, revision }) => `${repository}@${revision.sha[0] ?? ''}`)).toEqual([
    'acme/infra@b',
    'acme/infra@a',
    'acme/other@a',
  ]);
});

function aSummary(changes: Partial<DeploymentSummary>): DeploymentSummary {
  return {
    id: '1',
    repository: 'acme/infra',
    rootName: 'network',
    revision: { sha: 'a'.repeat(40), branch: 'main', title: 'Widen the subnet', author: 'alice' },
    trigger: 'merge',
    rerun: false,
    requestedBy: 'alice',
    status: 'queued',
    mood: 'waiting',
    headline: 'Queued',
    receivedAt: AT,
    times: {},
    ...changes,
  };
}
