import { describe, expect, test } from '@jest/globals';
import { aDeployment, aLock, aPlan } from '../../../testing/samples.ts';
import { deploymentAt, NOW as AT } from '../../../testing.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { LaneView } from '../../view.ts';
import { waitReasons } from './wait-reasons.ts';

const NOW = Date.parse(AT);
const EXPIRES = '2026-02-07T14:05:00.000Z';

describe('a deployment in the queue waits', () => {
  test('for those before it, and for an unlock by people whom the rules of its root name', () => {
    const [first, second] = [deploymentAt(1), deploymentAt(2)];
    const locked = { ...second, root: { ...second.root, permissions: { unlock: [{ permission: 'admin' as const }] } } };

    expect(waitReasons(viewOf({ waiting: [first, locked], lock: aLock('failed') }), locked, NOW)).toEqual([
      { gate: 'turn', sentence: expect.stringMatching(/^the lane is locked by/), who: ['Unlock: admin permission'] },
      {
        gate: 'queue',
        sentence: 'one deployment of this lane goes first',
        who: ['the deployments that go first, when they end'],
      },
    ]);
  });

  test('for other lanes, in the words of its check run', () => {
    const held = withProgress(
      { ...deploymentAt(1), rollout: { id: 'x' } as unknown as NonNullable<Deployment['rollout']> },
      { reason: 'waits for dns' },
    );

    expect(waitReasons(viewOf({ waiting: [held] }), held, NOW)).toEqual([
      { gate: 'order', sentence: 'waits for dns', who: ['the deployments of other lanes, when they end'] },
    ]);
  });

  test('for nothing when it is next', () => {
    const next = deploymentAt(1);

    expect(waitReasons(viewOf({ waiting: [next] }), next, NOW)).toEqual([]);
  });

  test('for a lane that cannot read its record', () => {
    const next = deploymentAt(1);

    expect(waitReasons(viewOf({ waiting: [next], waitsFor: 'its record cannot be read: away' }), next, NOW)).toEqual([
      expect.objectContaining({ gate: 'other', sentence: 'its record cannot be read: away' }),
    ]);
  });
});

describe('a deployment that runs waits', () => {
  test('for a policy and a review at once, each with the people who can end that and the time at which it ends', () => {
    const denial = {
      ...({ name: 'cost', enforce: 'required', verdict: 'denied' } as const),
      ...{ denials: [], warnings: [], owners: 'a member of acme/finance' },
    };
    const made = aPlan({ policies: [denial] });
    const running = withProgress(aDeployment({ status: 'awaiting-review', plan: { ...made, expiresAt: EXPIRES } }), {});

    expect(waitReasons(viewOf({ running }), running, NOW)).toEqual([
      expect.objectContaining({ gate: 'policy', who: ['Override: a member of acme/finance'], endsAt: EXPIRES }),
      {
        gate: 'review',
        sentence: 'this plan waits for a review',
        who: ['Confirm: write permission', 'Reject: write permission'],
        endsAt: EXPIRES,
      },
    ]);
  });

  test('for a host', () => {
    const running = aDeployment({ status: 'planning', waitsFor: 'host', reason: 'all slots are taken' });

    expect(waitReasons(viewOf({ running }), running, NOW)).toEqual([
      expect.objectContaining({ gate: 'host', sentence: 'all slots are taken' }),
    ]);
  });

  test('for whatever its workflow says', () => {
    const running = aDeployment({ status: 'blocked', reason: 'GitHub does not answer' });

    expect(waitReasons(viewOf({ running }), running, NOW)).toEqual([
      expect.objectContaining({ gate: 'other', sentence: 'GitHub does not answer' }),
    ]);
  });

  test.each(['planning', 'applying'] as const)('for nothing while it is %s', (status) => {
    const running = aDeployment({ status });

    expect(waitReasons(viewOf({ running }), running, NOW)).toEqual([]);
  });
});

function viewOf(more: Partial<LaneView>): LaneView {
  const { repository } = { repository: { owner: 'acme', name: 'infra', installationId: 1 } };
  return {
    repository,
    rootName: 'network',
    isRestored: true,
    lifted: [],
    waiting: [],
    ended: [],
    undeployed: [],
    ...more,
  };
}

function withProgress(deployment: Deployment, more: Partial<Deployment['progress']>): Deployment {
  return { ...deployment, progress: { ...deployment.progress, ...more } };
}
