import { describe, expect, test } from '@jest/globals';
import type { Presentation, Shown } from '../../../../deployment/presentation.ts';
import {
  NOW,
  NOW_MS,
  aBusyLane,
  aCancel,
  aLane,
  aRestoredLane,
  after,
  arrivalOf,
  begin,
  deploymentAt,
  endOf,
  shown,
} from '../../../../testing.ts';
import type { LaneActor } from '../actor.ts';
import type { Effect } from '../effects.ts';

const waitingTo = (count: number) => Array.from({ length: count }, (_, index) => arrivalOf(index + 1));

/** The deployments of each batch. */
const batches = (effects: readonly Effect[]) =>
  effects.flatMap((effect) =>
    effect.kind === 'show' ? [effect.presentations.map(({ deployment }) => deployment.id)] : [],
  );

/** What is shown next from then on. */
const shownAt = (lane: LaneActor, now: number) => batches(begin(lane, { now })[1]);

const answer = (lane: LaneActor, ...results: readonly Shown[]) =>
  after(lane, { kind: 'shown', effect: { kind: 'show', presentations: lane.showing.sending ?? [] }, results });

const sendingIn = ({ showing }: LaneActor, id: string): Presentation | undefined =>
  showing.sending?.find(({ deployment }) => deployment.id === id);

const failed = (deploymentId: string) => ({ kind: 'failed', deploymentId, why: 'GitHub is away' }) as const;
const written = (deploymentId: string, ...ids: readonly number[]) =>
  ({ kind: 'shown', deploymentId, checkRuns: ids.map((id) => ({ id, completed: false })) }) as const;

describe('a check run', () => {
  test('is created at once, however far back its deployment waits', () => {
    const lane = after(aBusyLane(...waitingTo(5)), arrivalOf(6));

    expect(shownAt(lane, NOW_MS)).toEqual([['6']]);
  });

  test('that is queued or in progress says what changed only if that lasts', () => {
    const [lane, effects] = begin(after(aBusyLane(arrivalOf(1), arrivalOf(2)), endOf('0')));

    expect(effects.map(({ kind }) => kind)).toEqual(['pop', 'admit', 'wait']);
    expect(effects.at(-1)).toEqual({ kind: 'wait', until: NOW_MS + lane.durations.quietMs });
    expect(shownAt(lane, NOW_MS + lane.durations.quietMs)).toEqual([['1', '2']]);
  });

  test('is written again when somebody says that it would say more, by its own writer, and not without that word', () => {
    const lane = shown(aBusyLane(...waitingTo(2)));
    const [, unasked] = begin(after(lane, { kind: 'look-again', at: NOW }));

    const asked = after(lane, { kind: 'look-again', at: NOW, isToShow: true });

    expect(batches(unasked)).toEqual([]);
    expect(shownAt(asked, NOW_MS + lane.durations.quietMs)).toEqual([['1', '2']]);
    expect(asked.passOns).toEqual([expect.objectContaining({ kind: 'show-again', deploymentId: '0' })]);
  });

  test('says nothing of what was over within that time', () => {
    const [lane] = begin(after(aBusyLane(arrivalOf(1)), endOf('0')));

    expect(lane.showing.differsSince).toBe(NOW_MS);
    expect(after(lane, endOf('1')).showing.differsSince).toBeUndefined();
  });

  test('beyond the third place says its place at most once a minute', () => {
    const lane = after(aBusyLane(...waitingTo(6)), endOf('0'));

    const [soon] = begin(lane, { now: NOW_MS + 1_000 });
    const told = shown(begin(soon, { now: NOW_MS + 1_000 })[0]);

    expect(shownAt(lane, NOW_MS + 1_000)).toEqual([['1', '2', '3']]);
    expect(begin(told, { now: NOW_MS + 2_000 })[1].at(-1)).toMatchObject({ kind: 'wait' });
    expect(shownAt(told, NOW_MS + told.durations.positionsMs)).toEqual([['4', '5', '6']]);
  });

  test('is one of at most fifty in a batch', () => {
    const [lane, effects] = begin(after(aBusyLane(), ...waitingTo(60)));

    expect(batches(effects).map(({ length }) => length)).toEqual([50]);
    expect(batches(begin(shown(lane))[1]).map(({ length }) => length)).toEqual([10]);
  });

  test('that GitHub refuses for good is not sent again', () => {
    const [lane] = begin(after(aBusyLane(), arrivalOf(1)));

    const refused = answer(lane, { kind: 'refused', deploymentId: '1', why: 'the title is too long' });

    expect(shownAt(refused, NOW_MS + 60_000)).toEqual([]);
  });

  test('is written again while one before it has its buttons', () => {
    const [lane] = begin(after(aBusyLane(), arrivalOf(1)));

    const half = answer(lane, written('1', 7, 8));

    expect(shownAt(half, NOW_MS)).toEqual([]);
    expect(shownAt(half, NOW_MS + half.durations.retryMs)).toEqual([['1']]);
  });

  test('of nobody that was asked for changes nothing', () => {
    const lane = aBusyLane();

    expect(answer(lane, written('unheard-of', 7)).state).toBe(lane.state);
  });
});

describe('what GitHub did not take', () => {
  test('waits together, longer and longer, and holds up no other', () => {
    const [lane] = begin(after(aBusyLane(), arrivalOf(1), arrivalOf(2), arrivalOf(3)));

    const partly = answer(lane, failed('1'), failed('2'), written('3', 3));
    const more = after(partly, arrivalOf(4));

    expect(shownAt(more, NOW_MS)).toEqual([['4']]);
    expect(shownAt(partly, NOW_MS + partly.durations.retryMs)).toEqual([['1', '2']]);
  });

  test('waits for the turn that a limit gave it, and holds up no other', () => {
    const [lane] = begin(after(aBusyLane(), arrivalOf(1)));

    const limited = after(
      answer(lane, { kind: 'limited', deploymentId: '1', why: 'a limit', retryAfterMs: 60_000 }),
      arrivalOf(2),
    );

    expect(shownAt(limited, NOW_MS)).toEqual([['2']]);
    const [next] = begin(limited);
    const taken = answer(next, written('2', 2));
    expect(shownAt(taken, NOW_MS + 59_999)).toEqual([]);
    expect(shownAt(taken, NOW_MS + 60_000)).toEqual([['1']]);
  });

  test('is shown before its turn once its deployment has ended', () => {
    const [lane] = begin(after(aBusyLane(), arrivalOf(1)));

    const limited = answer(lane, { kind: 'limited', deploymentId: '1', why: 'a limit', retryAfterMs: 60_000 });
    const cancelled = after(limited, {
      kind: 'cancel',
      message: aCancel({ deploymentId: '1', by: 'alice', requestId: 'r1' }),
      at: NOW,
    });

    expect(shownAt(cancelled, NOW_MS)).toEqual([['1']]);
  });

  test.each<[string, Shown]>([
    ['limited it', { kind: 'limited', deploymentId: '1', why: 'a limit', retryAfterMs: 1_000 }],
    ['never heard of it', { ...failed('1'), isUnsent: true }],
  ])('is not looked for where GitHub %s: it was not created', (_how, result) => {
    const [lane] = begin(after(aBusyLane(), arrivalOf(1)));

    const [again] = begin(answer(lane, result), { now: NOW_MS + 2_000 });

    expect(sendingIn(again, '1')).not.toHaveProperty('creationUncertain');
    expect(again.showing.sending).toHaveLength(1);
  });

  test('may have been created all the same: it is looked for', () => {
    const [sending, effects] = begin(after(aBusyLane(), arrivalOf(1)));
    const effect = effects.find(({ kind }) => kind === 'show') ?? { kind: 'pop' };

    const lost = after(sending, { kind: 'failed', effect, why: 'the worker is gone' });
    const [again] = begin(lost, { now: NOW_MS + lost.durations.retryMs });

    expect(sendingIn(sending, '1')).not.toHaveProperty('creationUncertain');
    expect(sendingIn(again, '1')).toMatchObject({ creationUncertain: true });
  });

  test('may have been written all the same: what it said before is said again', () => {
    const before = aBusyLane(arrivalOf(1));
    const [sending] = begin(after(before, arrivalOf(9, { trigger: 'manual' })), { now: NOW_MS });
    const lost = answer(sending, failed('9'), failed('1'));
    const back = after(lost, {
      kind: 'cancel',
      at: NOW,
      message: aCancel({ requestId: 'c', deploymentId: '9', by: 'carol' }),
    });

    expect(batches(begin(before)[1])).toEqual([]);
    expect(shownAt(back, NOW_MS + 1_000)).toEqual([['1', '9']]);
  });
});

describe('a lane that cannot read its record', () => {
  const blocked = after(aLane(), arrivalOf(1), { kind: 'read', read: { kind: 'unreadable', why: 'it is broken' } });

  test('says so on the check run of what waits, once', () => {
    const [lane] = begin(blocked);

    expect(sendingIn(lane, '1')?.deployment.progress).toMatchObject({
      status: 'blocked',
      reason: 'The record of this root cannot be read: it is broken',
    });
    expect(shownAt(shown(lane), NOW_MS)).toEqual([]);
  });

  test('does not try again what GitHub did not take: that would be history without end', () => {
    const [lane] = begin(blocked);

    expect(shownAt(answer(lane, failed('1')), NOW_MS + 60_000)).toEqual([]);
  });
});

test('what was lost with the run before is looked for and written', () => {
  const lane = aRestoredLane({
    merged: [deploymentAt(1)],
    lock: { kind: 'failed', deploymentId: '0', revision: 'r', by: 'bob', at: 'then' },
  });

  expect(sendingIn(begin(lane)[0], '1')).toMatchObject({ creationUncertain: true });
});
