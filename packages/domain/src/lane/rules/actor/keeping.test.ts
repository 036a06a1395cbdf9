import { describe, expect, test } from '@jest/globals';
import type { LaneStored } from '../../activities.ts';
import {
  aFollowingLane,
  after,
  aNotice,
  aRecord,
  aRestoredLane,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  endOf,
  NOW,
  NOW_MS,
  progressAs,
  shaAt,
  shown,
} from '../../../testing.ts';
import { ENDED_LIMIT } from '../state/ended.ts';
import { inOrder } from '../queue/queue.ts';
import type { LaneActor } from './actor.ts';
import type { EffectOf } from './effects.ts';
import { isSettled, recordOf } from './keeping.ts';
import { viewOf, whyBlocked } from '../view/view.ts';

const LATER_MS = NOW_MS + 1_000;
const lock = { kind: 'failed', deploymentId: 'm', revision: shaAt(9), by: 'bob', at: NOW } as const;
const notice = aNotice();

/** A lane that is about to store that a merge waits for its lock, and the effect. */
function aStoringLane(): readonly [LaneActor, EffectOf<'settle'>] {
  const [lane, effects] = begin(after(aRestoredLane({ lock }), arrivalOf(1)));
  return [lane, effectIn(effects, 'settle')];
}

const settled = (stored: LaneStored) => {
  const [lane, effect] = aStoringLane();
  return after(lane, { kind: 'settled', effect, stored });
};

const other = (record: Parameters<typeof aRecord>[0]): LaneStored => ({
  kind: 'other',
  stored: { record: aRecord(record), version: '9' },
});

describe('the record of a lane', () => {
  test('is stored when what stands in it changed, with whoever wrote it', () => {
    const [lane, { settlement }] = aStoringLane();

    expect(settlement).toMatchObject({
      ifVersion: '1',
      record: { merged: [{ id: '1' }], writer: { runId: 'run', sequence: 8 } },
    });
    expect(lane.record).toMatchObject({ isDirty: false, sequence: 8 });
  });

  test('holds an ended deployment until it is known who writes its check run', () => {
    const ended = deploymentAt(1, { progress: { ...progressAs('succeeded'), times: { preparing: NOW } } });
    const restored = aRestoredLane({ ended: [ended] });
    const [passOn] = restored.passOns;
    if (passOn === undefined) throw new Error('nobody is asked');
    const [asking] = begin(restored);

    expect([restored, { ...asking, passingOn: [passOn] }, asking].map((lane) => recordOf(lane).ended?.length)).toEqual([
      1,
      1,
      undefined,
    ]);
  });

  test('is not stored for what is only shown', () => {
    const lane = after(shown(settled({ kind: 'stored', version: '2' })), { kind: 'notice', at: NOW, message: notice });

    expect(isSettled(lane)).toBe(true);
    expect(isSettled(after(lane, arrivalOf(1)))).toBe(true);
  });

  test('is stored at most once a second', () => {
    const lane = after(settled({ kind: 'stored', version: '2' }), arrivalOf(2));

    expect(begin(lane)[1].map(({ kind }) => kind)).not.toContain('settle');
    expect(effectIn(begin(lane, { now: LATER_MS })[1], 'settle').settlement.ifVersion).toBe('2');
  });

  test('is stored again where something changed while it was on its way', () => {
    const [lane, effect] = aStoringLane();

    const stored = after(lane, arrivalOf(2), { kind: 'settled', effect, stored: { kind: 'stored', version: '2' } });

    expect(effectIn(begin(stored, { now: LATER_MS })[1], 'settle').settlement.record.merged).toHaveLength(2);
  });

  test('is stored with the admission of a deployment, and not beside it', () => {
    const [, effects] = begin(after(aRestoredLane(), arrivalOf(1)));

    expect(effects.map(({ kind }) => kind)).toEqual(['pop', 'admit', 'wait']);
    expect(effectIn(effects, 'admit').admission).toMatchObject({ ifVersion: '1', record: { running: { id: '1' } } });
  });

  test('loses what ended once everybody knows of it', () => {
    const [skipping, effects] = begin(after(shown(aFollowingLane()), endOf('1', 'cancelled', true)), { now: LATER_MS });
    const { settlement } = effectIn(effects, 'settle');
    const kept = after(shown(skipping), {
      kind: 'settled',
      effect: effectIn(effects, 'settle'),
      stored: { kind: 'stored', version: '3' },
    });

    const [, next] = begin(kept, { now: LATER_MS + 1_000 });

    expect(settlement.record.ended).toMatchObject([{ id: '1' }]);
    expect(effectIn(next, 'settle').settlement.record).not.toHaveProperty('ended');
    expect(effectIn(next, 'settle').settlement.ended).toEqual([]);
  });
});

describe('the own record of a deployment', () => {
  test('is stored with the lane where no terraform workflow stores it, and names when it ended', () => {
    const ended = after(shown(aFollowingLane()), endOf('1', 'cancelled', true));

    const { settlement } = effectIn(begin(ended, { now: LATER_MS })[1], 'settle');

    expect(settlement.ended).toMatchObject([{ version: 1, endedAt: NOW, deployment: { id: '1' } }]);
  });

  test('names when the deployment came where nothing else is known', () => {
    const ended = deploymentAt(1, { progress: { status: 'skipped', times: {}, jobs: {} }, receivedAt: 'then' });

    const { settlement } = effectIn(begin(aRestoredLane({ ended: [ended] }))[1], 'settle');

    expect(settlement.ended).toMatchObject([{ endedAt: 'then' }]);
  });

  test("is its terraform workflow's where that tells the end", () => {
    const ended = after(shown(aFollowingLane()), endOf('1'));

    expect(effectIn(begin(ended, { now: LATER_MS })[1], 'settle').settlement.ended).toEqual([]);
  });
});

describe('what another writer stored', () => {
  test('is joined before anything else is written, and stored with what is known here', () => {
    const lane = settled(other({ merged: [deploymentAt(5)], lock }));

    expect(inOrder(lane.state.queue).map(({ id }) => id)).toEqual(['1', '5']);
    expect(lane.showing.reported['5']).toEqual({ creationUncertain: true });
    expect(recordOf(lane).merged).toHaveLength(2);
    expect(effectIn(begin(lane)[1], 'settle').settlement.ifVersion).toBe('9');
  });

  test('and runs there is found before anything starts here', () => {
    const lane = settled(other({ running: deploymentAt(5) }));

    expect(lane).toMatchObject({ stage: { kind: 'find' }, state: { running: { id: '5' } } });
  });

  test('and runs there goes before what was only about to start here', () => {
    const [lane, effects] = begin(after(aRestoredLane(), arrivalOf(1)));
    const stored = other({ running: deploymentAt(5) });

    const joined = after(lane, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: { stored } });

    expect(joined.state.running?.id).toBe('5');
    expect(inOrder(joined.state.queue)).toMatchObject([{ id: '1', progress: { status: 'queued' } }]);
  });

  test('and has ended here holds up nothing', () => {
    const ended = after(shown(aFollowingLane()), endOf('1'), arrivalOf(2));
    const [lane, effects] = begin(ended);
    const stored = other({ running: deploymentAt(1) });

    const joined = after(lane, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: { stored } });

    expect(joined).toMatchObject({ stage: { kind: 'none' }, state: { running: undefined } });
    expect(effectIn(begin(joined)[1], 'admit')).toMatchObject({ deploymentId: '2', admission: { ifVersion: '9' } });
  });

  test('is asked again with the deployment that is admitted where nothing runs there', () => {
    const [lane, effects] = begin(after(aRestoredLane(), arrivalOf(1)));
    const stored = other({
      latest: { deploymentId: '0', revision: shaAt(0), trigger: 'merge', status: 'succeeded', at: NOW },
    });

    const joined = after(lane, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: { stored } });

    expect(effectIn(begin(joined)[1], 'admit').admission).toMatchObject({ ifVersion: '9', compareWith: shaAt(0) });
  });

  test('and cannot be read blocks the lane with the reason', () => {
    const lane = settled({ kind: 'unreadable', why: 'it is broken' });

    expect(whyBlocked(lane)).toBe('its record cannot be read: it is broken');
    expect(viewOf(lane).waitsFor).toBe('its record cannot be read: it is broken');
  });
});

describe('a write of which nobody knows whether it was', () => {
  const [storing, effect] = aStoringLane();
  const lost = after(storing, { kind: 'failed', effect, why: 'the worker is gone' });

  test("is tried again, later and later, with a number of its own: the store tells it from another writer's", () => {
    const [again, effects] = begin(lost, { now: LATER_MS });
    const twice = after(again, { kind: 'failed', effect: effectIn(effects, 'settle'), why: 'still' });

    expect(effectIn(effects, 'settle').settlement).toMatchObject({
      ifVersion: '1',
      record: { writer: { sequence: 9 } },
    });
    expect([lost, twice].map(({ record }) => record.waitMs)).toEqual([1_000, 2_000]);
  });

  test('blocks the lane visibly until it was', () => {
    const [again, effects] = begin(lost, { now: LATER_MS });
    const stored = after(again, {
      kind: 'settled',
      effect: effectIn(effects, 'settle'),
      stored: { kind: 'stored', version: '2' },
    });

    expect(whyBlocked(lost)).toBe('its record cannot be written: the worker is gone');
    expect(whyBlocked(stored)).toBeUndefined();
  });
});

test(`a lane keeps the last ${ENDED_LIMIT} that ended for its page, once the others are shown and stored`, () => {
  const progress = progressAs('skipped');
  const ended = Array.from({ length: ENDED_LIMIT + 2 }, (_, position) => deploymentAt(position, { progress }));
  const [lane, effects] = begin(aRestoredLane({ ended }));
  const effect = effectIn(effects, 'settle');

  const told = after(shown(lane), { kind: 'settled', effect, stored: { kind: 'stored', version: '2' } });

  expect(effect.settlement.ended).toHaveLength(52);
  expect(told.state.ended).toHaveLength(ENDED_LIMIT);
  expect(told.state.ended[0]?.id).toBe('2');
  expect(told.record.kept).toEqual(ended.slice(2).map(({ id }) => id));
});
