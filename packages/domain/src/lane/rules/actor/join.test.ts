/** A lane finds that somebody else has stored its record: Temporal was restored from a backup, and does not know what came after. */
import { describe, expect, test } from '@jest/globals';
import type { TerraformFound } from '../../activities.ts';
import type { LaneRecord } from '../../record.ts';
import { aLock } from '../../../testing/samples.ts';
import {
  ADMITTED,
  aFollowingLane,
  after,
  aRecord,
  aRequest,
  aRestoredLane,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  NOW,
  NOW_MS,
  progressAs,
  shaAt,
  shown,
} from '../../../testing.ts';
import type { LaneActor } from './actor.ts';
import type { LaneEvent } from './events.ts';

/** The lane asks whether its deployment may start, and finds this record. */
function admitting(lane: LaneActor, record: Partial<LaneRecord>) {
  const [asking, effects] = begin(lane);
  const stored = { kind: 'other', stored: { record: aRecord(record), version: '9' } } as const;
  return begin(
    after(asking, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: { ...ADMITTED, stored } }),
  );
}

/** The lane stores what changed, and finds this record. */
function settling(lane: LaneActor, record: Partial<LaneRecord>) {
  const [storing, effects] = begin(lane, { now: NOW_MS + lane.durations.storeMs });
  const stored = { kind: 'other', stored: { record: aRecord(record), version: '9' } } as const;
  return begin(after(storing, { kind: 'settled', effect: effectIn(effects, 'settle'), stored }));
}

test('a merge that was about to start waits for the lock that stands in the record', () => {
  const [lane, effects] = admitting(after(aRestoredLane(), arrivalOf(1)), { lock: aLock() });

  expect(lane.state).toMatchObject({ lock: aLock(), running: undefined, queue: { merged: [{ id: '1' }] } });
  expect(effects.map(({ kind }) => kind)).not.toContain('admit');
});

test('a merge that was about to start is asked about again where the record has no lock', () => {
  const [lane, effects] = admitting(after(aRestoredLane(), arrivalOf(1)), {});

  expect(lane.state.running?.id).toBe('1');
  expect(effectIn(effects, 'admit').admission.ifVersion).toBe('9');
});

test('what was about to start here and has started there is looked for', () => {
  const [lane, effects] = admitting(after(aRestoredLane(), arrivalOf(1)), { running: deploymentAt(1) });

  expect(lane.state.queue.merged).toEqual([]);
  expect(effectIn(effects, 'find').deploymentId).toBe('1');
});

test('what runs here and not there may have ended long ago: it is looked for', () => {
  const [, effects] = settling(after(aFollowingLane(), arrivalOf(2)), {});

  expect(effectIn(effects, 'find').deploymentId).toBe('1');
});

test('what runs here and there is followed as before', () => {
  const [lane] = settling(after(aFollowingLane(), arrivalOf(2)), { running: deploymentAt(1) });

  expect(lane.stage.kind).toBe('following');
});

describe('a deployment that waits here, and was seen there and waits there no more,', () => {
  const byHand = arrivalOf(1, { trigger: 'manual', requestedBy: 'bob' });
  const seen = { requestIds: [aRequest(1).requestId], merges: [] };
  const latest = { deploymentId: '2', revision: shaAt(2), trigger: 'merge', status: 'succeeded', at: NOW } as const;
  const doubting = () => admitting(after(aRestoredLane(), byHand), { seen, latest });

  const answered = (found: TerraformFound) => begin(after(doubting()[0], { kind: 'found', deploymentId: '1', found }));

  test('is asked about before anything starts', () => {
    const [, effects] = doubting();

    expect(effectIn(effects, 'find').deploymentId).toBe('1');
    expect(effects.map(({ kind }) => kind)).not.toContain('admit');
  });

  test('ends as it ended there, and changes neither the lock nor what is deployed', () => {
    const [lane] = answered({ kind: 'ended', progress: progressAs('succeeded') });

    expect(lane.state).toMatchObject({ lock: undefined, latest, running: undefined, queue: { manual: [] } });
    expect(lane.state.ended).toMatchObject([{ id: '1', progress: { status: 'succeeded' } }]);
  });

  test('has the end on its check run, which may say since the restore that it waits', () => {
    const [lane] = answered({ kind: 'ended', progress: progressAs('rejected') });

    const [presentation] = effectIn(begin(shown(lane), { now: NOW_MS + 1_000 })[1], 'show').presentations;
    expect(presentation?.deployment).toMatchObject({ id: '1', progress: { status: 'rejected' } });
  });

  test('leaves behind what the record says', () => {
    const [lane] = answered({ kind: 'ended', progress: progressAs('plan-failed') });

    expect(lane.state.undeployed).toEqual([]);
  });

  test('has its turn when nobody knows its end', () => {
    const [lane, effects] = answered({ kind: 'not-started' });

    expect(lane.state.running?.id).toBe('1');
    expect(effectIn(effects, 'admit').deploymentId).toBe('1');
  });

  test.each<[string, LaneEvent]>([
    ['it may be at its end', { kind: 'found', deploymentId: '1', found: { kind: 'closing' } }],
    ['nobody answers', { kind: 'failed', effect: { kind: 'find', deploymentId: '1', pool: 'default' }, why: 'away' }],
  ])('is asked about again later when %s', (_why, event) => {
    const waiting = after(doubting()[0], event);
    const { dueAt } = waiting.doubts;

    expect(dueAt).toBe(NOW_MS + waiting.durations.retryMs);
    expect(begin(waiting)[1].map(({ kind }) => kind)).toEqual(['settle', 'wait']);
    expect(effectIn(begin(waiting, { now: dueAt })[1], 'find').deploymentId).toBe('1');
  });
});

test('a deployment that waits here and there has its turn', () => {
  const waiting = deploymentAt(1);
  const seen = { requestIds: [waiting.requestId], merges: [waiting.revision.sha] };
  const [, effects] = admitting(after(aRestoredLane(), arrivalOf(1)), { seen, merged: [waiting] });

  expect(effectIn(effects, 'admit').deploymentId).toBe('1');
});
