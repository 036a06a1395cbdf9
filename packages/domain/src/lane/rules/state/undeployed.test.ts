import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../deployment/model.ts';
import type { EndedStatus } from '../../../deployment/status.ts';
import { advanced } from '../../../deployment/rules/progress.ts';
import { failureLeft, joinUndeployed, revisionsBehind, UNDEPLOYED_LIMIT, undeployedAfter } from './undeployed.ts';
import { newLane, type LaneState } from './lane-state.ts';
import { end, pop } from './running.ts';
import { latestOf } from './latest.ts';
import { receive } from '../requests/receive.ts';
import { aRequest, deploymentAt, NOW, NOW_MS, progressAs, shaAt } from '../../../testing.ts';

const BY_HAND = { trigger: 'manual', requestedBy: 'bob' } as const;
const RERUN = { ...BY_HAND, rerun: true } as const;

describe('a revision of the branch is left behind', () => {
  test.each<EndedStatus>(['plan-failed', 'rejected', 'expired', 'cancelled', 'refused', 'host-lost'])(
    'a revision is left behind when its deployment ends %s',
    (status) => {
      expect(leftOf(ends(newLane, [1, status]))).toEqual([`1 ${status}`]);
    },
  );

  test.each<EndedStatus>(['succeeded', 'no-changes', 'apply-failed', 'apply-outcome-unknown'])(
    'until a later one is %s, which contains it',
    (status) => {
      expect(leftOf(ends(newLane, [1, 'plan-failed'], [2, 'rejected'], [3, status]))).toEqual([]);
    },
  );

  test('while only an earlier one takes effect', () => {
    expect(leftOf(ends(newLane, [5, 'plan-failed'], [4, 'succeeded']))).toEqual(['5 plan-failed']);
  });

  test('while only something by hand takes effect', () => {
    expect(leftOf(ends(newLane, [4, 'succeeded'], [5, 'plan-failed'], [90, 'succeeded', BY_HAND]))).toEqual([
      '5 plan-failed',
    ]);
  });

  test('once, as its last re-run ended', () => {
    const lane = ends(newLane, [1, 'plan-failed'], [2, 'rejected'], [1, 'expired', RERUN]);

    expect(leftOf(lane)).toEqual(['2 rejected', '1 expired']);
    expect(leftOf(ends(lane, [2, 'no-changes', RERUN]))).toEqual([]);
  });

  test('when it was skipped for a newer one that carries it, and not when it was deployed already', () => {
    const carrier = { deploymentId: '3', revision: shaAt(3) };
    const carried = advanced(deploymentAt(2, { carrier }), 'skipped', NOW);
    const late = advanced(deploymentAt(1), 'skipped', NOW);

    expect(undeployedAfter({ undeployed: [], latest: undefined }, [carried, late], NOW)).toMatchObject([
      { deploymentId: '2', status: 'skipped' },
    ]);
  });
});

describe('a deployment by hand is left', () => {
  test('until anything takes effect after it', () => {
    const lane = ends(newLane, [1, 'succeeded'], [90, 'plan-failed', BY_HAND]);

    expect(leftOf(lane)).toEqual(['90 plan-failed']);
    expect(leftOf(ends(lane, [2, 'no-changes']))).toEqual([]);
  });

  test('not when it was refused: the person was told', () => {
    expect(leftOf(ends(newLane, [90, 'refused', BY_HAND], [1, 'refused', RERUN]))).toEqual([]);
  });
});

test('of a failure, one line says why', () => {
  const failure = { body: { summary: 'x'.repeat(300), lines: [] } };
  const failed = advanced(deploymentAt(1), 'plan-failed', NOW);
  const withFailure: Deployment = { ...failed, progress: { ...failed.progress, failure } };

  const [one] = undeployedAfter({ undeployed: [], latest: undefined }, [withFailure], NOW);

  expect(one?.reason).toBe('x'.repeat(200));
});

test(`of more than ${UNDEPLOYED_LIMIT}, the last ones are kept`, () => {
  const many = Array.from({ length: UNDEPLOYED_LIMIT + 2 }, (_, index) => [index, 'rejected'] as const);

  const left = leftOf(ends(newLane, ...many));

  expect(left).toHaveLength(UNDEPLOYED_LIMIT);
  expect(left.at(-1)).toBe(`${UNDEPLOYED_LIMIT + 1} rejected`);
});

describe('a lane waits for a person because of', () => {
  test.each<[string, string | undefined, readonly End[]]>([
    ['the plan that failed', '1', [[1, 'plan-failed']]],
    ['the last of several', '2', [[1, 'plan-failed'], [2, 'host-lost']]], // prettier-ignore
    ['nothing, once a person ended a later one', undefined, [[1, 'plan-failed'], [2, 'rejected']]], // prettier-ignore
    ['a failure on the branch, whoever ended something by hand', '1', [[1, 'expired'], [90, 'rejected', BY_HAND]]], // prettier-ignore
    ['a failure by hand, whoever ended one of the branch', '90', [[90, 'plan-failed', BY_HAND], [1, 'cancelled']]], // prettier-ignore
    ['nothing, where all is deployed', undefined, [[1, 'plan-failed'], [2, 'succeeded']]], // prettier-ignore
  ])('a lane waits for a person because of %s', (_what, id, all) => {
    expect(failureLeft(ends(newLane, ...all).undeployed)?.deploymentId).toBe(id);
  });
});

describe('a lane is behind by', () => {
  const behind = (lane: LaneState, running?: Deployment, waiting: readonly Deployment[] = []) =>
    revisionsBehind({ ...lane, running, waiting }).map(({ revision }) => revision.position);

  test('what runs, waits or was left, the newest first', () => {
    const lane = ends(newLane, [1, 'succeeded'], [2, 'plan-failed']);

    expect(behind(lane, deploymentAt(3), [deploymentAt(4)])).toEqual([4, 3, 2]);
  });

  test('each revision once: a re-run that waits says more than the failure before it', () => {
    const lane = ends(newLane, [2, 'plan-failed']);
    const again = deploymentAt(2, { ...RERUN, id: 'again' });

    expect(revisionsBehind({ ...lane, running: undefined, waiting: [again] })).toEqual([again]);
  });

  test('nothing that is contained in the deployed one, and nothing by hand', () => {
    const lane = ends(newLane, [5, 'no-changes']);

    expect(behind(lane, deploymentAt(5, RERUN), [deploymentAt(90, BY_HAND), deploymentAt(4)])).toEqual([]);
  });

  test('what came since the last merge, while something by hand is deployed', () => {
    const lane = ends(newLane, [5, 'succeeded'], [90, 'succeeded', BY_HAND]);

    expect(lane.latest).toMatchObject({ mergeBefore: shaAt(5), branchPosition: 5 });
    expect(behind(lane, undefined, [deploymentAt(6)])).toEqual([6]);
  });
});

describe('of two writers', () => {
  const one = ends(newLane, [1, 'plan-failed'], [3, 'rejected']).undeployed;
  const other = ends(newLane, [1, 'plan-failed'], [2, 'expired']).undeployed;

  test('what either knows is left, each once', () => {
    expect(joinUndeployed(one, other, undefined).map(({ deploymentId }) => deploymentId)).toEqual(['1', '3', '2']);
    expect(joinUndeployed(one, one, undefined)).toBe(one);
  });

  test('but for what is deployed by now', () => {
    const later = new Date(NOW_MS + 60_000).toISOString();
    const latest = latestOf(advanced(deploymentAt(2), 'succeeded', later), later);

    expect(joinUndeployed(one, other, latest).map(({ deploymentId }) => deploymentId)).toEqual(['3']);
  });
});

type End = readonly [position: number, status: EndedStatus, changes?: Partial<Deployment>];

/** The lane after these deployments ran and ended, one after another. */
function ends(lane: LaneState, ...all: readonly End[]): LaneState {
  return all.reduce((before, [position, status, changes]) => {
    const count = before.seen.requestIds.length;
    const at = new Date(NOW_MS + count * 1_000).toISOString();
    const request = aRequest(position, { ...changes, requestId: `request-${count}` });
    const running = pop(receive(before, request, String(position), at), at);
    // Nothing that a lock would hold back is asked about here.
    return { ...end(running, progressAs(status, at), at), lock: undefined };
  }, lane);
}

function leftOf({ undeployed }: LaneState): readonly string[] {
  return undeployed.map(({ revision, status }) => `${revision.position} ${status}`);
}
