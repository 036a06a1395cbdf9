import { describe, expect, test } from '@jest/globals';
import { describeWave } from '../../../gates/clock/describe-wave.ts';
import { aBreakGlass } from '../../../testing/envelopes.ts';
import { aDeployment, aLock, aPlan } from '../../../testing/samples.ts';
import { deploymentAt, NOW as AT } from '../../../testing.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { WaitAtGate } from '../../../deployment/wait-reason.ts';
import type { LaneView } from '../../view.ts';
import { explainWaits } from './explain-waits.ts';

const NOW = Date.parse(AT);
const HALTED = { kind: 'halted', rootName: 'edge-1', how: 'failed to apply' } as const;
const EXPIRES = '2026-02-07T14:05:00.000Z';

const BREAK_GLASS = 'Break glass: admin permission (nereid break-glass acme/infra/network "REASON")';

type Approval = NonNullable<Deployment['progress']['approvals']>[number];

describe('a deployment in the queue waits', () => {
  test('for those before it, and for a re-run of a failed apply, or an unlock by people whom the rules of its root name', () => {
    const [first, second] = [deploymentAt(1), deploymentAt(2)];
    const locked = { ...second, root: { ...second.root, permissions: { unlock: [{ permission: 'admin' as const }] } } };

    const lock = aLock('failed');

    expect(explainWaits(viewOf({ waiting: [first, locked], lock }), locked, NOW)).toEqual([
      {
        ...{ gate: 'turn', sentence: expect.stringMatching(/^the lane is locked by/) },
        who: [
          `Re-run: write permission (nereid rerun ${lock.deploymentId}), which plans what is left`,
          'Unlock: admin permission (nereid unlock acme/infra/network), if the next merge mends it',
        ],
      },
      {
        gate: 'queue',
        sentence: 'one deployment of this lane goes first',
        who: ['the deployments that go first, when they end'],
      },
    ]);
  });

  test('for an unlock alone, while the outcome of an apply is unknown', () => {
    const one = deploymentAt(1);

    expect(explainWaits(viewOf({ waiting: [one], lock: aLock('outcome-unknown') }), one, NOW)).toMatchObject([
      { gate: 'turn', who: [expect.stringMatching(/^Unlock: .* \(nereid unlock acme\/infra\/network\)$/)] },
    ]);
  });

  test('for other lanes, in the words of its check run', () => {
    const held = withProgress(
      { ...deploymentAt(1), rollout: { id: 'x' } as unknown as NonNullable<Deployment['rollout']> },
      { reason: 'waits for dns' },
    );

    expect(explainWaits(viewOf({ waiting: [held] }), held, NOW)).toEqual([
      { gate: 'order', sentence: 'waits for dns', who: ['the deployments of other lanes, when they end'] },
    ]);
  });

  test('for nothing when it is next', () => {
    const next = deploymentAt(1);

    expect(explainWaits(viewOf({ waiting: [next] }), next, NOW)).toEqual([]);
  });

  test('for a lane that cannot read its record', () => {
    const next = deploymentAt(1);

    const view = viewOf({ waiting: [next], isRestored: false, waitsFor: 'its record cannot be read: away' });

    expect(explainWaits(view, next, NOW)).toEqual([
      expect.objectContaining({ gate: 'record', sentence: 'its record cannot be read: away' }),
    ]);
  });

  test('for storage that does not keep what its lane decides', () => {
    const next = deploymentAt(1);

    expect(explainWaits(viewOf({ waiting: [next], waitsFor: 'storage is away' }), next, NOW)).toEqual([
      expect.objectContaining({ gate: 'outside', sentence: 'storage is away' }),
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

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
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

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      expect.objectContaining({ gate: 'host', sentence: 'all slots are taken' }),
    ]);
  });

  test('for a stop, with the people who may end it and the time at which it ends by itself', () => {
    const until = Date.parse(EXPIRES);
    const reason = 'Stopped by ada until Sat 14:05 UTC: ask bob';
    const running = aDeployment({ status: 'blocked', reason, waitsFor: { gate: 'stop', who: ['thaw'], until } });

    const thaw: unknown = expect.stringMatching(/^Thaw: .*permission/);
    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      { gate: 'stop', sentence: reason, who: [thaw, BREAK_GLASS], endsAt: EXPIRES },
    ]);
  });

  test('for a stop or a window, which the people of apply_force let it pass, until one has', () => {
    const waitsFor = { gate: 'window', who: [] } as const;
    const one = aDeployment({ status: 'blocked', reason: 'Closed', waitsFor });
    const rules = [{ permission: 'maintain', teams: ['acme/sre'] }] as const;
    const closed = { ...one, root: { ...one.root, permissions: { apply_force: rules } } };

    const [wait] = explainWaits(viewOf({ running: closed }), closed, NOW);
    const broken = withProgress(closed, { glass: aBreakGlass() });
    const [passed] = explainWaits(viewOf({ running: broken }), broken, NOW);

    expect(wait?.who).toEqual([
      'Break glass: maintain permission, as a member of acme/sre (nereid break-glass acme/infra/network "REASON")',
    ]);
    expect(passed?.who).toEqual([]);
  });

  describe('for a halted wave', () => {
    const wave = { ...{ name: 'canary', number: 1, of: 2 }, standing: HALTED } as const;
    const waitsFor = { gate: 'soak', who: ['rerun', 'skip_soak'], wave: 1 } as const;
    const running = aDeployment({ status: 'blocked', reason: describeWave(wave), waitsFor });
    const until = NOW + 60_000;
    const stop = { stops: [{ pool: '*', by: 'olga', reason: 'an incident', until, said: 'Sat 14:01 UTC' }] };
    const window = { closed: { because: 'change freeze “Year end”', opens: { at: until, said: 'Sat 14:01 UTC' } } };

    test('whose failed root is named with the command that resumes the rollout', () => {
      expect(explainWaits(viewOf({ running }), running, NOW)).toMatchObject([
        {
          gate: 'soak',
          who: ['Re-run: write permission (nereid rerun acme/infra/edge-1)', expect.stringMatching(/^Skip/)],
        },
      ]);
    });

    test('and for a stop and a window that would hold its plan as well', () => {
      expect(explainWaits(viewOf({ running }), running, NOW, { stop, window })).toMatchObject([
        { gate: 'soak' },
        { gate: 'stop', sentence: expect.stringMatching(/^its plan would wait: Stopped for all repositories by olga/) },
        {
          ...{ gate: 'window', endsAt: new Date(until).toISOString() },
          sentence: 'its plan would wait: Closed until Sat 14:01 UTC (change freeze “Year end”)',
        },
      ]);
    });

    test('and for a stop that would hold its apply as well, once it has a plan, unless somebody lets that pass', () => {
      const planned = withProgress(running, { plan: aPlan() });
      const passing = withProgress(planned, { glass: aBreakGlass() });

      expect(explainWaits(viewOf({ running }), planned, NOW, { stop })).toMatchObject([
        { gate: 'soak' },
        { gate: 'stop', sentence: expect.stringMatching(/^its apply would wait: /) },
      ]);
      expect(explainWaits(viewOf({ running }), passing, NOW, { stop, window })).toMatchObject([{ gate: 'soak' }]);
    });
  });

  test('for a stop, which is said once', () => {
    const waitsFor = { gate: 'stop', who: ['thaw_pool'] } as const;
    const running = aDeployment({ status: 'blocked', reason: 'Stopped', waitsFor });
    const stops = [{ pool: '*', by: 'olga', reason: 'an incident', until: NOW + 60_000, said: 'Sat 14:01 UTC' }];

    expect(explainWaits(viewOf({ running }), running, NOW, { stop: { stops } })).toHaveLength(1);
  });

  test('for a gate that nobody lets it pass', () => {
    const waitsFor = { gate: 'budget', who: ['other lanes'] } as const;
    const running = aDeployment({ status: 'blocked', reason: '1 of 1 apply on aws-prod', waitsFor });

    const [wait] = explainWaits(viewOf({ running }), running, NOW);

    expect(wait?.who).toEqual(['the deployments of other lanes, when they end']);
  });

  test('for a stop of all repositories, with the operators who may end it', () => {
    const reason = 'Stopped for all repositories by ada until Sat 14:05 UTC: an incident';
    const running = aDeployment({ status: 'blocked', reason, waitsFor: { gate: 'stop', who: ['thaw_pool'] } });

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      {
        ...{ gate: 'stop', sentence: reason },
        who: [
          "Thaw: an operator, one of console.operators in the server's file",
          expect.stringMatching(/^Break glass: /),
        ],
      },
    ]);
  });

  test("for a window that the server's file has to open, with the people who write that", () => {
    const waitsFor = { gate: 'window', who: ['operators'] } as const;
    const running = aDeployment({ status: 'blocked', reason: 'Closed', waitsFor });

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      {
        ...{ gate: 'window', sentence: 'Closed' },
        who: ["the people who write the server's file", BREAK_GLASS],
      },
    ]);
  });

  test('for as many people as are missing, of several who have to confirm its plan', () => {
    const approval = { body: { by: 'bob', byId: 2, teams: ['acme/sre'] }, signature: '' };
    const progress = {
      status: 'awaiting-review',
      plan: aPlan(),
      approvals: [approval as unknown as Approval],
    } as const;
    const one = aDeployment(progress);
    const running = { ...one, root: { ...one.root, review: { count: 2, eachOf: ['acme/dba'] } } };

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      expect.objectContaining({
        gate: 'review',
        sentence: 'this plan waits for somebody of acme/dba; 1 of 2 confirmed (@bob)',
      }),
    ]);
  });

  test('for no name of a gate or of a person that is made up at the port of Temporal', () => {
    const waitsFor = { gate: 'stop', who: ['thaw', 'constructor', 7], until: Infinity } as unknown as WaitAtGate;
    const running = aDeployment({ status: 'blocked', reason: 'Stopped', waitsFor });

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      {
        ...{ gate: 'stop', sentence: 'Stopped' },
        who: [expect.stringMatching(/^Thaw: /), expect.stringMatching(/^Break glass: /)],
      },
    ]);
  });

  test('for whatever its workflow says', () => {
    const running = aDeployment({ status: 'blocked', reason: 'GitHub does not answer' });

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([
      expect.objectContaining({ gate: 'outside', sentence: 'GitHub does not answer' }),
    ]);
  });

  test.each(['planning', 'applying'] as const)('for nothing while it is %s', (status) => {
    const running = aDeployment({ status });

    expect(explainWaits(viewOf({ running }), running, NOW)).toEqual([]);
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
