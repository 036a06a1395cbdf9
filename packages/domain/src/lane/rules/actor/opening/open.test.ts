import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../../testing/samples.ts';
import {
  aCancel,
  ADMITTED,
  anUnlock,
  after,
  aRecord,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  NOW,
  NOW_MS,
  REPOSITORY,
  shaAt,
} from '../../../../testing.ts';
import type { LaneRecord } from '../../../record.ts';
import type { LaneActor } from '../actor.ts';
import type { LaneMessage } from '../events.ts';
import { inOrder } from '../../queue/queue.ts';
import { answerTo, knows } from '../../view/view.ts';
import { openLane } from './open.ts';

const latest = { deploymentId: '1', revision: shaAt(1), trigger: 'merge', status: 'succeeded', at: NOW } as const;
const storedAs = (record: Partial<LaneRecord>, version = '5') => ({ record: aRecord(record), version });

const hintedWith = (stored: ReturnType<typeof storedAs> | null, at = NOW_MS): LaneActor =>
  openLane(
    { repository: REPOSITORY, rootName: 'network', hint: { stored, at } },
    { runId: 'run', random: 0.5, now: NOW_MS },
  );

const kindsOf = (lane: LaneActor) => begin(lane)[1].map(({ kind }) => kind);

describe('a lane whose start has its record', () => {
  test('asks at once whether its deployment may run, on condition that the record is still the same', () => {
    const [, effects] = begin(after(hintedWith(storedAs({ latest })), arrivalOf(2)));

    expect(effectIn(effects, 'admit').admission).toMatchObject({ ifVersion: '5', compareWith: shaAt(1) });
  });

  test('does the same where the root has none', () => {
    const [, effects] = begin(after(hintedWith(null), arrivalOf(1)));

    expect(effectIn(effects, 'admit').admission.ifVersion).toBeNull();
  });

  test.each<[string, Partial<LaneRecord>]>([
    ['has a lock', { lock: aLock() }],
    ['runs a deployment', { running: deploymentAt(1) }],
    ['has a deployment waiting', { manual: [deploymentAt(1)] }],
    ['has an end to tell', { ended: [deploymentAt(1)] }],
    ['is no record', { merged: 7 as never }],
  ])('reads its record when the one that it was given %s', (_what, record) => {
    expect(kindsOf(hintedWith(storedAs(record)))).toEqual(['read', 'wait']);
  });

  test.each([null, 5, {}, { at: NOW_MS }, { at: NOW_MS, stored: 5 }, { at: NOW_MS, stored: { record: aRecord() } }])(
    'reads its record when it was given %j, which is no hint',
    (hint) => {
      const input = { repository: REPOSITORY, rootName: 'network', hint } as never;

      expect(kindsOf(openLane(input, { runId: 'run', random: 0.5, now: NOW_MS }))).toEqual(['read', 'wait']);
    },
  );

  test.each([
    ['the first run of a reset lane was given', -120_001],
    ['a clock that is fast dates', 120_001],
  ])('reads its record when %s it', (_what, ms) => {
    expect(kindsOf(hintedWith(storedAs({}), NOW_MS + ms))).toEqual(['read', 'wait']);
  });
});

describe('a lane that storage has not told whether its record is still the same', () => {
  const seen = { requestIds: ['request-1'], merges: [shaAt(1)] };

  test('asks, also when nothing has changed', () => {
    expect(kindsOf(after(hintedWith(storedAs({ seen })), arrivalOf(1)))).toContain('settle');
  });

  test('answers nothing, and continues in no new run', () => {
    const lane = after(hintedWith(storedAs({})), { kind: 'unlock', at: NOW, message: anUnlock() });

    expect(answerTo(lane, anUnlock().body.requestId)).toMatchObject({ kind: 'pending' });
    expect(knows(lane, '1')).toMatchObject({ kind: 'pending' });
    expect(begin(lane, { isLong: true })[1].map(({ kind }) => kind)).not.toContain('continue-as-new');
  });
});

describe('a lane whose record changed before it began', () => {
  const unlocking: LaneMessage = { kind: 'unlock', at: NOW, message: anUnlock() };

  /** `meanwhile` comes while storage is asked. */
  const reopened = (
    record: Partial<LaneRecord>,
    messages: readonly LaneMessage[],
    meanwhile: readonly LaneMessage[] = [],
  ) => {
    const [lane, effects] = begin(after(hintedWith(storedAs({})), ...messages));
    const stored = { kind: 'other', stored: storedAs(record, '6') } as const;
    return after(lane, ...meanwhile, {
      kind: 'admitted',
      effect: effectIn(effects, 'admit'),
      admitted: { ...ADMITTED, stored },
    });
  };

  test('decides by that record what came since: a lock holds, and a press lifts it', () => {
    const locked = reopened({ lock: aLock() }, [arrivalOf(1)]);
    const unlocked = reopened({ lock: aLock() }, [arrivalOf(1), unlocking]);

    expect(locked.state).toMatchObject({ lock: aLock(), queue: { merged: [{ id: '1' }] } });
    expect(unlocked.state.lock).toBeUndefined();
    expect(effectIn(begin(unlocked)[1], 'admit').admission.ifVersion).toBe('6');
  });

  const cancelling: LaneMessage = {
    kind: 'cancel',
    at: NOW,
    message: aCancel({ deploymentId: '1' }),
  };

  test('has each deployment once, whatever ended before storage said so', () => {
    const { state } = reopened({ running: deploymentAt(1) }, [arrivalOf(1)], [cancelling]);

    expect(state.running?.id).toBe('1');
    expect([state.ended, inOrder(state.queue)]).toEqual([[], []]);
  });

  test('drops what the record has seen', () => {
    const { state } = reopened({ latest, seen: { requestIds: ['request-1'], merges: [shaAt(1)] } }, [arrivalOf(1)]);

    expect([state.running, inOrder(state.queue)]).toEqual([undefined, []]);
  });
});
