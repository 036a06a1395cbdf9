import { describe, expect, test } from '@jest/globals';
import { githubPages } from '@nereid/github-pages';
import type { WaitAtGate } from '@nereid/domain/deployment';
import { deploymentAt, shaAt } from '@nereid/domain/testing';
import { briefly } from '../fleet/fleet-lane.ts';
import type { LaneDeployment } from '../fleet/lane-deployments.ts';
import { rolloutOf, rolloutsOf } from './rollout-of.ts';

const GITHUB = githubPages('https://github.example');
const OF_ONE = { repository: 'acme/infra', sha: shaAt(1) };
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
    OF_ONE,
    GITHUB,
  );

  expect(rollout?.deployments.map(({ rootName }) => rootName).join('')).toBe('dcfbea');
  expect(rollout?.counts).toEqual({ done: 1, failed: 1, review: 1, working: 1, waiting: 1, left: 1 });
});

test('a repository is found whatever the case of its name, as on GitHub', () => {
  expect(rolloutOf([told('a')], { ...OF_ONE, repository: 'Acme/Infra' }, GITHUB)).toMatchObject({
    repository: 'acme/infra',
  });
});

test('a re-run takes the place of what it re-runs', () => {
  const failed = told('a', { status: 'plan-failed', endedAt: AT });
  const again = told('a', { id: '2', status: 'succeeded', receivedAt: LATER });

  for (const all of [
    [again, failed],
    [failed, again],
  ])
    expect(rolloutOf(all, OF_ONE, GITHUB)?.deployments).toMatchObject([{ id: '2', stand: 'done' }]);
});

test('the end of a deployment counts, although its lane still says that it runs', () => {
  const running = told('a', { status: 'applying' });
  const ended = told('a', { status: 'succeeded', endedAt: LATER });

  expect(rolloutOf([running, ended, running], OF_ONE, GITHUB)?.deployments).toMatchObject([
    { endedAt: LATER, stand: 'done' },
  ]);
});

test('a rollout is as old as its first deployment, whatever was run again', () => {
  const again = told('a', { id: '2', receivedAt: LATER });

  expect(rolloutsOf([told('a'), again])).toMatchObject([{ at: AT }]);
});

describe('a skipped deployment', () => {
  const carrier = { deploymentId: '2', revision: shaAt(2) };
  const skipped = told('a', { status: 'skipped', carrier, endedAt: AT });
  const at = (position: number, more: Partial<LaneDeployment>): LaneDeployment => ({
    ...told('a', { id: String(position), receivedAt: LATER, ...more }),
    revision: deploymentAt(position).revision,
  });

  test.each([
    ['waits while that is under way', 'waiting', at(2, { status: 'awaiting-review' })],
    ['is done once that was applied', 'done', at(2, { status: 'succeeded', endedAt: LATER })],
    ['is done once that turned out to change nothing', 'done', at(2, { status: 'no-changes', endedAt: LATER })],
    ['is left when that failed', 'left', at(2, { status: 'plan-failed', endedAt: LATER })],
    ['is done once a re-run of that was applied', 'done', at(2, { id: '9', status: 'succeeded', endedAt: LATER, trigger: 'manual', rerun: true })], // prettier-ignore
  ] as const)('a deployment that was skipped for a newer one %s', (_how, stand, other) => {
    const rollout = rolloutOf([skipped, other], OF_ONE, GITHUB);

    expect(rollout?.deployments).toMatchObject([
      { id: 'of-a', stand, carrier: { sha: shaAt(2), status: other.status, path: expect.stringContaining(other.id) } },
    ]);
    expect(rollout?.counts).toEqual({ [stand]: 1 });
    expect(rolloutsOf([other, skipped]).find(({ sha }) => sha === shaAt(1))?.counts).toEqual({ [stand]: 1 });
  });

  test('is applied with the commit that came after a carrier which failed', () => {
    const failed = at(2, { status: 'plan-failed', endedAt: LATER });
    const repaired = at(3, { status: 'succeeded', endedAt: LATER });

    expect(rolloutOf([skipped, failed, repaired], OF_ONE, GITHUB)?.deployments).toMatchObject([
      { stand: 'done', carrier: { sha: shaAt(3) } },
    ]);
  });

  test('is not applied by what was deployed by hand, or to another root', () => {
    const byHand = at(9, { status: 'succeeded', endedAt: LATER, trigger: 'manual' });
    const elsewhere = { ...at(3, { status: 'succeeded', endedAt: LATER }), lane: { ...skipped.lane, rootName: 'b' } };

    expect(rolloutOf([skipped, byHand, elsewhere], OF_ONE, GITHUB)?.deployments).toMatchObject([
      { stand: 'left', carrier: { sha: shaAt(2) } },
    ]);
  });

  test('was deployed already when it names none', () => {
    expect(rolloutOf([told('a', { status: 'skipped' })], OF_ONE, GITHUB)?.deployments).toMatchObject([
      { stand: 'left' },
    ]);
  });
});

describe('a rollout whose next wave is halted', () => {
  const reason = 'is halted by wave 1 of 2 (canary): its check errors failed once, at Sat 14:00 UTC, and answered 500';
  const waits = (more: Partial<LaneDeployment> = {}) =>
    told('b', { status: 'blocked', reason, waitsFor: { gate: 'soak', who: ['rerun', 'skip_soak'] }, ...more });
  const haltOf = (...all: readonly LaneDeployment[]) => rolloutOf(all, OF_ONE, GITHUB)?.halted;

  test('says why, as the roots do that wait for it', () => {
    expect(haltOf(told('a', { status: 'succeeded' }), waits())).toBe(`The next wave ${reason}.`);
  });

  test('says nothing of waits that a re-run does not end, and of what waits no longer', () => {
    expect(haltOf(waits({ waitsFor: { gate: 'soak', who: ['skip_soak'] } }))).toBeUndefined();
    expect(haltOf(waits({ waitsFor: { gate: 'budget', who: ['rerun'] } }))).toBeUndefined();
    expect(haltOf(waits({ status: 'cancelled', endedAt: LATER }))).toBeUndefined();
  });
});

describe('a rollout whose next wave waits', () => {
  const soaks = 'waits for wave 1 of 3 (canary), which soaks until Sat 14:00 UTC';
  const waits = (rootName: string, waitsFor: Pick<WaitAtGate, 'who' | 'until' | 'wave'>, reason = soaks) =>
    told(rootName, { status: 'blocked', reason, waitsFor: { gate: 'soak', ...waitsFor } });
  const nextOf = (...all: readonly LaneDeployment[]) => rolloutOf(all, OF_ONE, GITHUB)?.nextWave;

  test('says until when the wave before it soaks, and that it then begins by itself', () => {
    const later = waits('c', { who: ['other lanes', 'skip_soak'], wave: 1 });
    const next = waits('b', { who: ['skip_soak'], until: 1, wave: 1 });

    expect(nextOf(later, next)).toBe(`The next wave ${soaks}. Then it begins by itself.`);
  });

  test('says that the checks have to pass first', () => {
    expect(nextOf(waits('b', { who: ['operators', 'skip_soak'], wave: 1 }))).toMatch(
      /UTC\. It begins by itself once these checks have passed\./,
    );
  });

  test('says no more of roots that somebody has to deploy first', () => {
    const reason = 'waits for wave 1 of 3 (canary): a';

    expect(nextOf(waits('b', { who: ['other lanes', 'skip_soak'], wave: 1 }, reason))).toBe(`The next wave ${reason}.`);
  });

  test('says it once: not of a halted wave, nor where nobody knows how the waves stand', () => {
    expect(nextOf(waits('b', { who: ['rerun', 'skip_soak'], wave: 1 }))).toBeUndefined();
    expect(nextOf(waits('b', { who: ['operators'] }))).toBeUndefined();
  });
});

test('nothing is no rollout', () => {
  expect(rolloutOf([], OF_ONE, GITHUB)).toBeUndefined();
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

function told(rootName: string, more: Partial<LaneDeployment> = {}): LaneDeployment {
  const lane = { owner: 'acme', name: 'infra', rootName };
  return { ...briefly(deploymentAt(1, { id: `of-${rootName}`, receivedAt: AT })), lane, ...more };
}
