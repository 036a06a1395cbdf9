import { describe, expect, test } from '@jest/globals';
import { auditEvent } from '../../../trail/job-audit.ts';
import type { ReturnedEnd, Settled } from '../../activities.ts';
import {
  aFollowingLane,
  after,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  endOf,
  NOW,
  NOW_MS,
  progressAs,
  REPOSITORY,
  shown,
} from '../../../testing.ts';
import type { LaneActor } from './actor.ts';

const JOB = { id: '1/apply-1', startedAt: NOW };
const SUCCESS = auditEvent(REPOSITORY, deploymentAt(1), JOB, 'SUCCESS');
const RESULT: ReturnedEnd = {
  progress: { ...progressAs('succeeded'), jobs: { apply: JOB } },
  checkRuns: [{ id: 1, completed: false }],
  reported: { digest: 'at work' },
  untold: [SUCCESS],
};
const SHOWN = { kind: 'shown', deploymentId: '1', checkRuns: [{ id: 1, completed: true }] } as const;
const STORED: Settled = { kind: 'stored', version: '3', shown: SHOWN };

/** Its terraform workflow has closed, and returned its end. */
const returning = (lane = shown(aFollowingLane()), result = RESULT) =>
  after(lane, { kind: 'closed', deploymentId: '1', result });

/** With the answer of control. */
function answered(settled: Settled, lane = returning()): LaneActor {
  const [ending, effects] = begin(lane);
  return after(ending, { kind: 'ended', effect: effectIn(effects, 'end'), settled });
}

const settlementOf = (lane: LaneActor) => effectIn(begin(lane)[1], 'end').settlement;
const kinds = (lane: LaneActor, now = NOW_MS) => begin(lane, { now })[1].map(({ kind }) => kind);

describe('an end that was returned', () => {
  test('is verified, shown and stored in one step, with the lane as it is then', () => {
    const { record, ended, audits, returned } = settlementOf(returning());

    expect(record).toMatchObject({ latest: { deploymentId: '1', status: 'succeeded' }, ended: [{ id: '1' }] });
    expect(record).not.toHaveProperty('running');
    expect(ended).toMatchObject([{ deployment: { id: '1', progress: { status: 'succeeded' } } }]);
    expect(audits).toEqual([SUCCESS]);
    expect(returned).toMatchObject({ show: { deployment: { progress: { status: 'succeeded' } } } });
  });

  test('counts once that is done, and leaves nothing to do', () => {
    const before = returning();
    const lane = answered(STORED, before);

    expect(before.state).toMatchObject({ running: { id: '1' }, latest: undefined });
    expect(lane).toMatchObject({ stage: { kind: 'none' }, record: { version: '3', isDirty: false, audits: [] } });
    expect(lane.state).toMatchObject({ running: undefined, latest: { deploymentId: '1' }, ended: [{ id: '1' }] });
    expect(kinds(lane, NOW_MS + 5_000)).toEqual(['wait']);
  });

  test('holds up the next one until then, for a second of the forge at most', () => {
    const waiting = after(shown(aFollowingLane()), arrivalOf(2));
    const [ending, effects] = begin(returning(waiting));
    const effect = effectIn(effects, 'end');

    expect(effects.map(({ kind }) => kind)).not.toContain('pop');
    expect(effect.settlement.returned?.withinMs).toBe(1_000);
    expect(settlementOf(returning()).returned?.withinMs).toBe(10_000);
    expect(kinds(after(ending, { kind: 'ended', effect, settled: STORED }))).toContain('pop');
  });

  test('keeps what came meanwhile for the next write of the record', () => {
    const [ending, effects] = begin(returning());
    const lane = after(after(ending, arrivalOf(2)), {
      kind: 'ended',
      effect: effectIn(effects, 'end'),
      settled: STORED,
    });

    expect(lane.record.isDirty).toBe(true);
    expect(lane.state).toMatchObject({ ended: [{ id: '1' }], queue: { merged: [{ id: '2' }] } });
  });

  test('is not shown beside other check runs of the lane, which is asked to show it afterwards', () => {
    const lane = returning(aFollowingLane());

    expect(settlementOf(lane).returned).not.toHaveProperty('show');
    expect(kinds(shown(answered({ kind: 'unsettled' }, lane)))).toContain('show');
  });

  test('is stored and shown as any other of the lane where that was not done', () => {
    const failed = { kind: 'failed', deploymentId: '1', why: 'away' } as const;
    const lane = answered({ kind: 'unsettled', shown: failed });
    const [, effects] = begin(lane, { now: NOW_MS + 2_000 });

    expect(lane.state).toMatchObject({ running: undefined, ended: [{ progress: { status: 'succeeded' } }] });
    expect(effectIn(effects, 'settle').settlement).toMatchObject({
      ended: [{ deployment: { id: '1' } }],
      audits: [SUCCESS],
      record: { ended: [{ id: '1' }] },
    });
    expect(effectIn(effects, 'show').presentations).toHaveLength(1);
  });

  test('is stored before it is shown where GitHub limits writes: its record has it until it is shown', () => {
    const limited = { kind: 'limited', deploymentId: '1', why: 'a limit', retryAfterMs: 60_000 } as const;
    const lane = answered({ kind: 'stored', version: '3', shown: limited });

    expect(lane.record).toMatchObject({ version: '3', isDirty: false, untold: 1 });
    expect(kinds(lane, NOW_MS + 5_000)).toEqual(['wait']);

    const [showing, effects] = begin(lane, { now: NOW_MS + 62_000 });
    const [, next] = begin(shown(showing), { now: NOW_MS + 64_000 });
    expect(effectIn(effects, 'show').presentations).toHaveLength(1);
    expect(effectIn(next, 'settle').settlement.record).not.toHaveProperty('ended');
  });

  test('is asked for again where it could not be verified', () => {
    const [ending, effects] = begin(returning());
    const lane = after(ending, { kind: 'failed', effect: effectIn(effects, 'end'), why: 'away' });

    expect(lane.state.running?.id).toBe('1');
    expect(kinds(lane)).not.toContain('end');
    expect(kinds(lane, NOW_MS + 2_000)).toContain('end');
  });

  test('is heard once: a message that says the same, or asks for its end, changes nothing', () => {
    const lane = returning();

    expect(after(lane, endOf('1', 'cancelled'))).toMatchObject({ stage: { kind: 'end' }, state: lane.state });
    expect(after(lane, { kind: 'cancel-requested', at: NOW }).passOns).toEqual([]);
  });
});

describe('an end that no host signed', () => {
  test('is told as unknown, which locks the lane', () => {
    const lane = answered({ kind: 'forged' });
    const { record, audits } = settlementOf(lane);

    expect(lane.state.running?.id).toBe('1');
    expect(record).toMatchObject({ lock: { kind: 'outcome-unknown' } });
    expect(audits).toMatchObject([{ id: '1/apply-1:UNKNOWN' }]);
  });

  test('is not stored where it says nothing of a host', () => {
    const progress = progressAs('rejected');
    const lane = answered({ kind: 'forged' }, returning(shown(aFollowingLane()), { ...RESULT, progress, untold: [] }));

    expect(lane.state).toMatchObject({ running: undefined, ended: [{ progress: { status: 'rejected' } }] });
    expect(effectIn(begin(lane, { now: NOW_MS + 2_000 })[1], 'settle').settlement.ended).toEqual([]);
  });
});

describe('an end that somebody told before it was returned', () => {
  /** As anybody who reaches Temporal can. */
  const told = (status: 'cancelled' | 'succeeded', isClosed = false) =>
    returning(after(shown(aFollowingLane()), endOf('1', status, isClosed)));

  test.each([false, true])('is recorded and shown as it was returned (isClosed: %s)', (isClosed) => {
    const lane = told('cancelled', isClosed);
    const [, effects] = begin(lane, { now: NOW_MS + 2_000 });

    expect(effectIn(effects, 'settle').settlement).toMatchObject({
      ended: [{ deployment: { id: '1', progress: { status: 'succeeded' } } }],
      audits: [SUCCESS],
      record: { latest: { deploymentId: '1', status: 'succeeded' } },
    });
    expect(lane.state.ended).toHaveLength(1);
    expect(effectIn(effects, 'show').presentations).toMatchObject([
      { deployment: { progress: { status: 'succeeded' } } },
    ]);
  });
});
