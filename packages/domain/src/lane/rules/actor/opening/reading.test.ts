import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../../testing/samples.ts';
import { newLane, type LaneState } from '../../state/lane-state.ts';
import { UNTOLD_LIMIT } from '../../state/ended.ts';
import { receive } from '../../requests/receive.ts';
import { judgedAnswer } from '../../queue/judged.ts';
import { inOrder, QUEUE_LIMIT } from '../../queue/queue.ts';
import {
  after,
  aLane,
  aNotice,
  anUnlock,
  aRecord,
  aRequest,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  NOW,
  NOW_MS,
  progressAs,
  REPOSITORY,
  shaAt,
} from '../../../../testing.ts';
import { auditEvent } from '../../../../trail/job-audit.ts';
import type { LaneMessage } from '../events.ts';
import { hasRoom, withArrivals } from './reading.ts';
import { whyBlocked } from '../../view/view.ts';

const LATER = '2026-01-31T15:00:00.000Z';
const BROKEN = { kind: 'read', read: { kind: 'unreadable', why: 'it is broken' } } as const;

const arriving = (count: number) => after(aLane(), ...Array.from({ length: count }, (_, index) => arrivalOf(index)));

const unlocking: LaneMessage = {
  kind: 'unlock',
  at: NOW,
  message: anUnlock({ requestId: 'unlock-1', by: 'carol' }),
};

const read = (stored: Parameters<typeof aRecord>[0] | null) =>
  ({
    kind: 'read',
    read: { kind: 'read', stored: stored === null ? null : { record: aRecord(stored), version: '5' } },
  }) as const;

describe('before its record is there, a lane', () => {
  test('keeps as many deployments as a queue holds, and refuses the others with the sentence', () => {
    const { reading, state } = arriving(QUEUE_LIMIT + 2);

    expect(reading?.messages).toHaveLength(QUEUE_LIMIT);
    expect(inOrder(state.queue)).toHaveLength(QUEUE_LIMIT);
    expect(state.ended).toMatchObject(
      [QUEUE_LIMIT, QUEUE_LIMIT + 1].map((index) => ({
        id: String(index),
        progress: { status: 'refused', reason: expect.stringContaining('is full') },
      })),
    );
  });

  test('keeps nothing of what it could not even refuse', () => {
    const full = arriving(QUEUE_LIMIT + UNTOLD_LIMIT);

    const again = after(full, arrivalOf(9_999));

    expect(hasRoom(full)).toBe(false);
    expect(again.state.ended).toHaveLength(UNTOLD_LIMIT);
    expect(again.reading).toBe(full.reading);
  });

  test('keeps what comes twice twice, and shows it once', () => {
    const lane = after(arriving(1), { ...arrivalOf(0), id: 'again' } as LaneMessage);

    expect(inOrder(lane.state.queue)).toHaveLength(1);
    expect(inOrder(after(lane, read(null)).state.queue)).toHaveLength(1);
  });

  test('keeps other messages beside a full queue, and not without end', () => {
    const lane = after(arriving(QUEUE_LIMIT), ...unlocks(QUEUE_LIMIT + 1));

    expect(lane.reading?.messages).toHaveLength(2 * QUEUE_LIMIT);
    expect(hasRoom(lane)).toBe(false);
  });

  test('keeps a request, and a notice, once however often they are sent', () => {
    const noticing = { kind: 'notice', at: NOW, message: aNotice() } as const;
    const other = { ...noticing, message: aNotice({ sentence: 'Not locked.' }) };

    const { reading } = after(aLane(), unlocking, noticing, unlocking, noticing, other);

    expect(reading?.messages).toEqual([unlocking, noticing, other]);
  });

  test('keeps the request to cancel it however much it keeps', () => {
    const full = after(arriving(QUEUE_LIMIT), ...unlocks(QUEUE_LIMIT));

    const cancelled = after(full, { kind: 'cancel-requested', at: NOW });

    expect(cancelled.reading?.messages.at(-1)).toEqual({ kind: 'cancel-requested', at: NOW });
    expect(after(cancelled, read(null)).isCancelled).toBe(true);
  });
});

function unlocks(count: number): readonly LaneMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'unlock',
    at: NOW,
    message: anUnlock({ requestId: `unlock-${index}`, by: 'carol' }),
  }));
}

describe('the record of a lane', () => {
  test('is read first, and everything that came meanwhile is decided with it, in order', () => {
    const [reading, effects] = begin(after(aLane(), arrivalOf(2), unlocking, arrivalOf(1)));
    const lock = { kind: 'manual', deploymentId: 'm', revision: shaAt(9), by: 'bob', at: NOW } as const;

    const { state } = after(reading, read({ lock }));

    expect(effects.map(({ kind }) => kind)).toEqual(['read', 'wait']);
    expect(inOrder(state.queue).map(({ id }) => id)).toEqual(['1', '2']);
    expect(judgedAnswer(state.judged, 'unlock-1')).toEqual({ kind: 'unlocked' });
  });

  test('that cannot be read is asked for again, later and later, and blocks the lane with the reason', () => {
    const first = after(aLane(), BROKEN);
    const second = after(first, BROKEN);

    const waits = [first, second].map(({ reading }) => (reading?.dueAt ?? 0) - NOW_MS);
    const [, effects] = begin(second, { now: NOW_MS + 2_000 });

    expect(waits).toEqual([1_000, 2_000]);
    expect(whyBlocked(second)).toBe('its record cannot be read: it is broken');
    expect(effectIn(effects, 'read')).toEqual({ kind: 'read', shown: 'it is broken', awaited: 'news' });
  });

  test('is blocked with what the activity said last where that fails for good', () => {
    const [reading, effects] = begin(aLane());

    const lane = after(reading, { kind: 'failed', effect: effectIn(effects, 'read'), why: 'storage is away' });

    expect(lane).toMatchObject({ work: undefined, reading: { why: 'storage is away', reasons: 1, waitMs: 1_000 } });
  });

  test('is awaited for good after ten reasons: each costs history', () => {
    const lane = after(aLane(), ...Array.from({ length: 10 }, () => BROKEN));

    const [, effects] = begin(lane, { now: NOW_MS + 60_000 });

    expect(effectIn(effects, 'read').awaited).toBe('record');
  });

  test('that comes once more changes nothing', () => {
    const lane = after(aLane(), read(null));

    expect(
      after(
        lane,
        read({ latest: { deploymentId: '1', revision: shaAt(1), trigger: 'merge', status: 'succeeded', at: NOW } }),
      ).state,
    ).toBe(lane.state);
    expect(
      after(lane, { kind: 'failed', effect: { kind: 'read', shown: null, awaited: 'news' }, why: 'late' }).reading,
    ).toBeUndefined();
  });

  test('makes each check run uncertain: the run that wrote it may have ended before it heard', () => {
    const { showing, stage } = after(aLane(), read({ running: deploymentAt(1), merged: [deploymentAt(2)] }));

    expect(stage.kind).toBe('find');
    expect(showing.reported).toEqual({
      1: { creationUncertain: true, isHandedOver: true },
      2: { creationUncertain: true },
    });
  });

  test('asks the terraform workflows of what has ended to write once more: one of them may not have come to it', () => {
    const ended = deploymentAt(1, { progress: { ...progressAs('succeeded'), times: { preparing: NOW } } });
    const refused = deploymentAt(2, { progress: progressAs('refused') });

    const { showing, passOns } = after(aLane(), read({ ended: [ended, refused] }));

    expect(passOns).toEqual([{ kind: 'show-again', deploymentId: ended.id, tellsEnd: true }]);
    expect(showing.reported[ended.id]).toEqual({ creationUncertain: true, isHandedOver: true });
    expect(showing.reported[refused.id]).toEqual({ creationUncertain: true });
  });
});

describe('what the run before carried on', () => {
  const notices = { 2: { sentence: 'Too late.', at: NOW } };
  const carried = {
    record: aRecord({ merged: [deploymentAt(2)], writer: { runId: 'before', sequence: 4 } }),
    recordVersion: '5',
    notices,
    reported: { 2: { digest: 'd' } },
  };

  test('is how the lane stands, and is stored', () => {
    const { state, showing, record } = after(aLane(carried), read({}));

    expect([state.notices, showing.reported]).toEqual([notices, carried.reported]);
    expect(record).toMatchObject({ version: '5', sequence: 4, isDirty: true });
  });

  test('has the events that the audit trail has not taken', () => {
    const audits = [auditEvent(REPOSITORY, deploymentAt(2), { id: '2-apply-1', startedAt: NOW }, 'SUCCESS')];

    expect(after(aLane({ ...carried, audits }), read({})).record.audits).toEqual(audits);
  });

  test('is how the lane stands where nothing was ever stored', () => {
    expect(inOrder(after(aLane(carried), read(null)).state.queue)).toHaveLength(1);
  });

  test('is outdated where more was stored since: this run was reset', () => {
    const seen = { requestIds: [aRequest(2).requestId], merges: [shaAt(2)] };

    const lane = after(aLane({ ...carried, recordVersion: '4' }), read({ seen, merged: [deploymentAt(3)] }));

    expect(inOrder(lane.state.queue).map(({ id }) => id)).toEqual(['3']);
    expect(lane).toMatchObject({ state: { notices: {} }, record: { version: '5', isDirty: false } });
  });

  test('waits where another writer was there in between and never knew of it', () => {
    const running = deploymentAt(1, { foundLock: aLock() });
    const outdated = { ...carried, record: { ...carried.record, running }, recordVersion: '4' };

    const lane = after(aLane(outdated), read({ merged: [deploymentAt(3)] }));

    expect(inOrder(lane.state.queue).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(inOrder(lane.state.queue)[0]).not.toHaveProperty('foundLock');
    expect(lane.record.isDirty).toBe(true);
  });

  test('is how the lane stands where the run before stored, and never heard that it had', () => {
    const lane = after(
      aLane({ ...carried, recordVersion: '4' }),
      read({ writer: { runId: 'before', sequence: 3 }, merged: [deploymentAt(1)] }),
    );

    expect(inOrder(lane.state.queue).map(({ id }) => id)).toEqual(['2']);
    expect(lane.record.version).toBe('5');
  });
});

describe('what came before the record was there', () => {
  const checkRuns = [{ id: 7, completed: false }];
  const told = (id: string): LaneState => {
    const state = receive(newLane, aRequest(1), id, NOW);
    return { ...state, queue: { manual: [], merged: state.queue.merged.map((one) => ({ ...one, checkRuns })) } };
  };

  test('goes on in the check run that said that it waits', () => {
    const state = withArrivals(receive(newLane, aRequest(1), 'one', NOW), told('one'), LATER, () => true);

    expect(inOrder(state.queue)).toMatchObject([{ id: 'one', checkRuns }]);
    expect(state.ended).toEqual([]);
  });

  test('is skipped where the lane had seen it before, for whoever sees its check run', () => {
    const knowing = receive(newLane, aRequest(1), 'before', NOW);

    expect(withArrivals(knowing, told('one'), LATER, () => true).ended).toMatchObject([
      { id: 'one', checkRuns, progress: { status: 'skipped', reason: expect.stringContaining('asked for twice') } },
    ]);
    expect(withArrivals(knowing, told('one'), LATER, () => false)).toEqual(knowing);
  });

  test('and was refused stays so, and is seen', () => {
    const { state: arrived } = arriving(QUEUE_LIMIT + 1);

    const state = withArrivals(newLane, { ...arrived, queue: newLane.queue }, LATER, () => false);

    expect(state.ended).toMatchObject([{ id: String(QUEUE_LIMIT), progress: { status: 'refused' } }]);
    expect(state.seen.merges).toEqual([shaAt(QUEUE_LIMIT)]);
  });

  test('and was refused although the lane had seen it is told so where its check run waits', () => {
    const knowing = receive(newLane, aRequest(1), 'before', NOW);
    const refused = { ...newLane, ended: [deploymentAt(1, { id: 'one' })] };

    expect(withArrivals(knowing, refused, LATER, () => true).seen).toBe(knowing.seen);
    expect(withArrivals(knowing, refused, LATER, () => true).ended).toHaveLength(1);
    expect(withArrivals(knowing, refused, LATER, () => false).ended).toHaveLength(0);
  });
});
