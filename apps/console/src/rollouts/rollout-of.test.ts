import { expect, test } from '@jest/globals';
import { deploymentAt } from '@nereid/lane/testing';
import { briefly } from '../fleet/fleet.ts';
import { rolloutOf, rolloutsOf, type Told } from './rollout-of.ts';

const GITHUB = 'https://github.example';
const AT = '2026-11-22T10:00:00.000Z';
const LATER = '2026-11-22T11:00:00.000Z';

test('those that need a person come first', () => {
  const rollout = rolloutOf(
    [
      told('a', { status: 'succeeded' }),
      told('b', { status: 'queued' }),
      told('c', { status: 'apply-failed' }),
      told('d', { status: 'awaiting-review' }),
      told('e', { status: 'rejected' }),
      told('f', { status: 'applying' }),
    ],
    GITHUB,
  );

  expect(rollout?.deployments.map(({ rootName }) => rootName).join('')).toBe('dcfbea');
  expect(rollout?.counts).toEqual({ done: 1, failed: 1, review: 1, working: 1, waiting: 1, left: 1 });
});

test('a re-run takes the place of what it re-runs', () => {
  const failed = told('a', { status: 'plan-failed', endedAt: AT });
  const again = told('a', { id: '2', status: 'succeeded', receivedAt: LATER });

  for (const all of [
    [again, failed],
    [failed, again],
  ])
    expect(rolloutOf(all, GITHUB)?.deployments).toMatchObject([{ id: '2', stand: 'done' }]);
});

test('the end of a deployment counts, although its lane still says that it runs', () => {
  const running = told('a', { status: 'applying' });
  const ended = told('a', { status: 'succeeded', endedAt: LATER });

  expect(rolloutOf([running, ended, running], GITHUB)?.deployments).toMatchObject([{ endedAt: LATER, stand: 'done' }]);
});

test('a rollout is as old as its first deployment, whatever was run again', () => {
  const again = told('a', { id: '2', receivedAt: LATER });

  expect(rolloutsOf([told('a'), again])).toMatchObject([{ at: AT }]);
});

test('nothing is no rollout', () => {
  expect(rolloutOf([], GITHUB)).toBeUndefined();
});

test('the newest revision comes first; the same commit in two repositories is two', () => {
  const first = told('a');
  const revision = { ...first.revision, sha: 'b'.repeat(40) };
  const newer = { ...first, revision, receivedAt: LATER };
  const elsewhere = { ...first, lane: { ...first.lane, name: 'other' } };

  const rollouts = rolloutsOf([first, newer, elsewhere]);

  expect(rollouts.map(({ repository, sha }) => `${repository}@${sha[0] ?? ''}`)).toEqual([
    'acme/infra@b',
    `acme/infra@${first.revision.sha[0] ?? ''}`,
    `acme/other@${first.revision.sha[0] ?? ''}`,
  ]);
});

function told(rootName: string, more: Partial<Told> = {}): Told {
  const lane = { owner: 'acme', name: 'infra', rootName };
  return { ...briefly(deploymentAt(1, { id: `of-${rootName}`, receivedAt: AT })), lane, ...more };
}
