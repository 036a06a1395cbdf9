/** A lane finds that somebody else has stored its record: Temporal was restored from a backup, and does not know what came after. */
import { expect, test } from '@jest/globals';
import type { LaneRecord } from '@nereid/contracts';
import { aLock } from '@nereid/github/testing';
import {
  ADMITTED,
  aFollowingLane,
  after,
  aRecord,
  aRestoredLane,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  NOW_MS,
} from '../testing.ts';
import type { LaneActor } from './actor.ts';

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
