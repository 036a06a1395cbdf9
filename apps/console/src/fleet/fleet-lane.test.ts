import { describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { anOverride, aPlan, aRecord, deploymentAt } from '@nereid/domain/testing';
import { briefly, laneOfRecord, withProgress } from './fleet-lane.ts';
import { aFleetDeployment, anUndeployed } from './testing.ts';

const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };
const HUNDRED_KB = 'x'.repeat(100 * 1_024);

describe('however long the texts of a record are', () => {
  const revision = { ...deploymentAt(1).revision, title: HUNDRED_KB, author: HUNDRED_KB };
  const progress: Progress = { status: 'queued', times: {}, jobs: {}, reason: HUNDRED_KB };
  const long = deploymentAt(1, { revision, progress, requestedBy: HUNDRED_KB });

  test('a lane keeps only what lists show of them', () => {
    const left = anUndeployed(1, {
      revision: { sha: 'a', position: 1, title: HUNDRED_KB },
      reason: HUNDRED_KB,
      requestedBy: HUNDRED_KB,
    });
    const record = aRecord({ running: long, merged: [long], undeployed: [left] });

    expect(JSON.stringify(laneOfRecord(LANE, record)).length).toBeLessThan(10_000);
  });

  test('as does a deployment of which its workflow says more', () => {
    const plan = aPlan({
      policies: [{ name: HUNDRED_KB, enforce: 'required', verdict: 'denied', denials: [], warnings: [] }],
    });
    const said: Progress = { status: 'awaiting-review', times: {}, jobs: {}, reason: HUNDRED_KB, plan };

    expect(JSON.stringify(withProgress(briefly(long), said)).length).toBeLessThan(5_000);
  });
});

test('a title that a record lacks is empty', () => {
  const { title: _title, ...revision } = deploymentAt(1).revision;
  const deployment = { ...deploymentAt(1), revision: revision as ReturnType<typeof deploymentAt>['revision'] }; // As a stored record may be.

  expect(briefly(deployment).revision.title).toBe('');
});

test('a lane without a record has nothing', () => {
  expect(laneOfRecord(LANE, undefined)).toEqual({ ...LANE, waiting: [], undeployed: [] });
});

describe('what the workflow of a deployment says', () => {
  const running = aFleetDeployment({ status: 'preparing' });

  test('is how far it is, and why it waits', () => {
    const said: Progress = { status: 'preparing', times: {}, jobs: {}, reason: 'Waiting for a host', waitsFor: 'host' };

    expect(withProgress(running, said)).toMatchObject({ waitsFor: 'host', reason: 'Waiting for a host' });
  });

  test('takes the place of a reason that is over', () => {
    const before = { ...running, reason: 'Cannot compare' };

    expect(withProgress(before, { status: 'planning', times: {}, jobs: {} })).not.toHaveProperty('reason');
  });

  test('is left out once it has ended: its lane knows what follows', () => {
    expect(withProgress(running, { status: 'succeeded', times: {}, jobs: {} })).toBe(running);
  });

  test('names the policies that deny the plan, and who has answered', () => {
    const policies = [
      { name: 'cost', enforce: 'required', verdict: 'denied', denials: [], warnings: [] },
      { name: 'tags', enforce: 'advisory', verdict: 'denied', denials: [], warnings: [] },
    ] as const;
    const plan = aPlan({ policies, reviewRequired: false });
    const said: Progress = { status: 'awaiting-review', times: {}, jobs: {}, plan };
    const override = anOverride({ deploymentId: running.id, digest: plan.made.body.digest });
    const overridden: Progress = { ...said, overrides: [override] };

    expect(withProgress(running, said).reviewWait).toMatchObject({ objecting: ['cost'] });
    expect(withProgress(running, overridden).reviewWait).toMatchObject({
      answered: { by: 'olga', how: 'overrode the policies of' },
    });
    expect(
      withProgress(running, { ...said, review: { answer: 'approved', by: 'bob', at: override.body.at } }).reviewWait,
    ).toMatchObject({ answered: { by: 'bob', how: 'confirmed' } });
  });
});
