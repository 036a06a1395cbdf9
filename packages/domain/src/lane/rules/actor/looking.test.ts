import { describe, expect, test } from '@jest/globals';
import type { DependenciesFound } from '../../../rollout/model.ts';
import { aRoot } from '../../../testing/samples.ts';
import type { LaneActor } from './actor.ts';
import type { Effect } from './effects.ts';
import type { LaneEvent } from './events.ts';
import { recordOf } from './keeping.ts';
import { nextEffect } from './next-effect.ts';
import { viewOf } from '../view/view.ts';
import { inOrder } from '../queue/queue.ts';
import { stateName } from '../view/describe.ts';
import {
  NOW,
  NOW_MS,
  aCancel,
  aFollowingLane,
  aLane,
  aRestoredLane,
  after,
  arrivalOf,
  begin,
  effectIn,
  endOf,
  shaAt,
} from '../../../testing.ts';

const WAITS: DependenciesFound = { kind: 'waiting', clause: 'waits for cluster, which awaits its review' };
const READY: DependenciesFound = { kind: 'ready' };
const FAILED: DependenciesFound = { kind: 'failed', sentence: 'cluster failed to apply.' };

const IN_ROLLOUT = { rollout: `${shaAt(1)}/delivery` } as const;
const NEWEST = { root: { ...aRoot(), queue: 'newest' } } as const;
const RERUN = { ...IN_ROLLOUT, trigger: 'manual', rerun: true, requestId: 'rerun' } as const;

function kindsOf(effects: readonly Effect[]) {
  return effects.map(({ kind }) => kind);
}

function looked(lane: LaneActor, effects: readonly Effect[], ...found: readonly DependenciesFound[]): LaneActor {
  return after(lane, { kind: 'looked', effect: effectIn(effects, 'look'), found });
}

/** A lane with these deployments, once it has begun all that it can, and storage and GitHub have answered. */
function aLaneWith(...arrivals: readonly ReturnType<typeof arrivalOf>[]): readonly [LaneActor, readonly Effect[]] {
  const [lane, effects] = begin(after(aRestoredLane(), ...arrivals));
  return [after(lane, ...endsOfOthers(effects)), effects];
}

describe('a deployment that waits for other lanes', () => {
  test('is asked about when it comes to the front, and does not run', () => {
    const [, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));

    expect(effectIn(effects, 'look').dependents).toEqual([
      { deploymentId: '1', rootName: aRoot().name, rollout: IN_ROLLOUT.rollout, shown: null },
    ]);
    expect(kindsOf(effects)).not.toContain('pop');
  });

  test('one without a rollout asks nothing', () => {
    const [, effects] = aLaneWith(arrivalOf(1));

    expect(kindsOf(effects)).not.toContain('look');
    expect(kindsOf(effects)).toContain('pop');
  });

  test('says why it waits: on its check run, in the lane, and in lists', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const lane = looked(asking, effects, WAITS);

    expect(lane.state.queue.merged).toMatchObject([{ progress: { status: 'queued', reason: WAITS.clause } }]);
    expect(viewOf(lane).waitsFor).toBe('waits for cluster, which awaits its review');
    expect(stateName(lane.state)).toBe('waiting');
  });

  test('is asked about again with what is shown, and then only when somebody says so', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const [again, more] = begin(looked(asking, effects, WAITS));

    expect(effectIn(more, 'look').dependents).toMatchObject([{ shown: WAITS.clause }]);
    expect(kindsOf(begin(again)[1])).not.toContain('look');
    expect(kindsOf(begin(after(again, { kind: 'look-again', at: NOW }))[1])).toContain('look');
  });

  test('runs once it is ready, without the reason', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const [lane, more] = begin(looked(asking, effects, READY));

    expect(kindsOf(more)).toContain('pop');
    expect(lane.state.running).toMatchObject({ id: '1', progress: { status: 'preparing' } });
    expect(lane.state.running?.progress).not.toHaveProperty('reason');
  });

  test('is refused when one of them failed, with the sentence; the next one goes on', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT), arrivalOf(2));
    const [lane] = begin(looked(asking, effects, FAILED));

    expect(lane.state.ended).toMatchObject([{ id: '1', progress: { status: 'refused', reason: FAILED.sentence } }]);
    expect(lane.state.running?.id).toBe('2');
  });

  test('keeps its place on the branch, and lets manual deployments pass', () => {
    const [merges] = aLaneWith(arrivalOf(1, IN_ROLLOUT), arrivalOf(2));
    expect(merges.state.running).toBeUndefined();

    const [lane] = begin(after(merges, arrivalOf(9, { trigger: 'manual' })));
    expect(lane.state.running?.id).toBe('9');
  });

  test('a re-run that waits lets other manual deployments and merges pass', () => {
    const [lane] = aLaneWith(arrivalOf(1, RERUN), arrivalOf(9, { trigger: 'manual' }));

    expect(lane.state.running?.id).toBe('9');
    expect(aLaneWith(arrivalOf(1, RERUN), arrivalOf(2))[0].state.running?.id).toBe('2');
  });

  test('only the first merge of a queue is asked about, but every re-run', () => {
    const [, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT), arrivalOf(2, IN_ROLLOUT), arrivalOf(3, RERUN));

    expect(effectIn(effects, 'look').dependents.map(({ deploymentId }) => deploymentId)).toEqual(['3', '1']);
  });

  test('one that comes is asked about at once, in the place of the question under way', () => {
    const [asking] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const [, effects] = begin(after(asking, arrivalOf(3, RERUN)));

    expect(effectIn(effects, 'look').dependents.map(({ deploymentId }) => deploymentId)).toEqual(['3', '1']);
  });

  test('a failed question is asked again, later', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const failed = after(asking, { kind: 'failed', effect: effectIn(effects, 'look'), why: 'a day is over' });

    expect(kindsOf(begin(failed)[1])).not.toContain('look');
    expect(nextEffect(failed, { now: NOW_MS + failed.durations.retryMs, isLong: false })).toMatchObject({
      kind: 'look',
    });
  });

  test('an answer for one that is gone changes nothing', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const cancelled = after(asking, {
      kind: 'cancel',
      at: NOW,
      message: aCancel({ requestId: 'c', deploymentId: '1', by: 'bob' }),
    });

    expect(looked(cancelled, effects, FAILED).state).toBe(cancelled.state);
  });

  test('a cancelled lane asks nothing', () => {
    const lane = after(aRestoredLane(), { kind: 'cancel-requested', at: NOW }, arrivalOf(1, IN_ROLLOUT));

    expect(kindsOf(begin(lane)[1])).not.toContain('look');
  });

  test('the wait survives a continue-as-new: the next run asks, and shows the reason meanwhile', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    const record = recordOf(looked(asking, effects, WAITS));
    const carried = { record, recordVersion: null, notices: {}, reported: {} };
    const [next, more] = begin(after(aLane(carried), { kind: 'read', read: { kind: 'read', stored: null } }));

    expect(effectIn(more, 'look').dependents).toMatchObject([{ deploymentId: '1', shown: WAITS.clause }]);
    expect(next.state.running).toBeUndefined();
    expect(viewOf(next).waitsFor).toBe(WAITS.clause);
  });

  test('while GitHub holds up a new run, it is asked all the same', () => {
    const restored = aRestoredLane();
    const held = { ...restored, showing: { ...restored.showing, sending: [] } };

    expect(kindsOf(begin(after(held, arrivalOf(1, IN_ROLLOUT)), { isLong: true })[1])).toContain('look');
  });

  test('a question under way does not keep a lane from a new run', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, IN_ROLLOUT));
    expect(kindsOf(effects)).toContain('look');
    expect(begin(asking, { isLong: true })[1].at(-1)).toMatchObject({ kind: 'continue-as-new' });
  });
});

describe('queue: newest', () => {
  test('the newest waits for what those wait for that it carries', () => {
    const [asking, effects] = aLaneWith(arrivalOf(1, { ...NEWEST, ...IN_ROLLOUT }), arrivalOf(2, NEWEST));

    expect(effectIn(effects, 'look').dependents.map(({ deploymentId }) => deploymentId)).toEqual(['1']);
    expect(asking.state.running).toBeUndefined();
    expect(begin(looked(asking, effects, READY))[0].state.running?.id).toBe('2');
  });

  test('the newest of those before one that waits goes, and does not carry it', () => {
    const [lane, effects] = aLaneWith(
      arrivalOf(1, NEWEST),
      arrivalOf(2, NEWEST),
      arrivalOf(3, { ...NEWEST, ...IN_ROLLOUT }),
    );

    expect(lane.state.running?.id).toBe('2');
    expect(effectIn(effects, 'admit').admission.contains).toEqual([shaAt(1)]);
  });
});

test('a deployment that gets ready while another runs goes after it', () => {
  const [asking, effects] = begin(after(aFollowingLane(), arrivalOf(2, IN_ROLLOUT)));
  const ready = looked(asking, effects, READY);

  expect(ready.state.running?.id).toBe('1');
  expect(inOrder(ready.state.queue)).toMatchObject([{ id: '2' }]);
  const [next] = begin(after(ready, endOf('1')));
  expect(next.state.running?.id).toBe('2');
});

/** The ends of all but the question. */
function endsOfOthers(effects: readonly Effect[]): readonly LaneEvent[] {
  return effects.flatMap((effect): readonly LaneEvent[] => {
    if (effect.kind === 'settle') return [{ kind: 'settled', effect, stored: { kind: 'stored', version: '2' } }];
    if (effect.kind !== 'show') return [];
    const results = effect.presentations.map(({ deployment }) => ({
      kind: 'shown' as const,
      deploymentId: deployment.id,
      checkRuns: [{ id: 1, completed: false }],
    }));
    return [{ kind: 'shown', effect, results }];
  });
}
