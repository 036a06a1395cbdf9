import { nextEffect, type Circumstances } from './next-effect.ts';
import { describe, expect, test } from '@jest/globals';
import {
  ADMITTED,
  NOW,
  NOW_MS,
  aBusyLane,
  aCancel,
  aFollowingLane,
  aLane,
  aNotice,
  aRestoredLane,
  aStartingLane,
  after,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  endOf,
  shown,
} from '../../../testing.ts';
import { READ_WITHIN_MS } from '../state/notices.ts';
import type { LaneActor } from './actor.ts';
import type { LaneMessage } from './events.ts';

const LONG: Partial<Circumstances> = { isLong: true };
const CALM = { now: NOW_MS, isLong: false };
const CANCEL_LANE = { kind: 'cancel-requested', at: NOW } as const;

const noticing: LaneMessage = {
  kind: 'notice',
  at: NOW,
  message: aNotice({ deploymentId: '1', sentence: 'Too late.' }),
};

const kinds = (lane: LaneActor, circumstances: Partial<Circumstances> = {}) =>
  begin(lane, circumstances)[1].map(({ kind }) => kind);

const last = (lane: LaneActor, circumstances: Partial<Circumstances> = {}) => begin(lane, circumstances)[1].at(-1);

/** A lane whose record is stored, from a second ago on. */
function stored(lane: LaneActor): LaneActor {
  const [next, effects] = begin(lane, { now: NOW_MS + 1_000 });
  return after(shown(next), {
    kind: 'settled',
    effect: effectIn(effects, 'settle'),
    stored: { kind: 'stored', version: '3' },
  });
}

/** One of which everything is told and stored, and nothing waits. */
const aRestingLane = () => stored(after(shown(aFollowingLane()), endOf('1')));

describe('a lane does next', () => {
  test('what a terraform workflow has to hear, then its work, then what GitHub has to hear', () => {
    const lane = after(aFollowingLane(), arrivalOf(2), noticing);

    expect(kinds(shown(lane))).toEqual(['pass-on', 'show', 'wait']);
    expect(kinds(shown(lane), { now: NOW_MS + 1_000 })).toEqual(['pass-on', 'settle', 'show', 'wait']);
  });

  test('one piece of work at a time, and one batch', () => {
    const [lane] = begin(after(aRestoredLane(), arrivalOf(1)));

    expect(kinds(after(lane, arrivalOf(2)), { now: NOW_MS + 60_000 })).toEqual(['wait']);
  });

  test('the start of what was admitted although GitHub takes its time', () => {
    expect(aStartingLane()).toMatchObject({ stage: { kind: 'starting' }, showing: { sending: [{}] } });
  });

  test('nothing about its deployments before it has read its record', () => {
    expect(kinds(after(aLane(), arrivalOf(1)))).toEqual(['read', 'wait']);
  });
});

describe('a lane waits', () => {
  test('until a message comes where time alone brings nothing', () => {
    expect(last(shown(aFollowingLane()))).toEqual({ kind: 'wait', until: Infinity });
  });

  test('until it asks again what could not be had', () => {
    const broken = after(aLane(), { kind: 'read', read: { kind: 'unreadable', why: 'it is broken' } });
    const [finding, effects] = begin(aRestoredLane({ running: deploymentAt(1) }));
    const lost = after(finding, { kind: 'failed', effect: effectIn(effects, 'find'), why: 'away' });

    expect(last(broken)).toEqual({ kind: 'wait', until: NOW_MS + 1_000 });
    expect(last(lost)).toEqual({ kind: 'wait', until: NOW_MS + 1_000 });
  });

  test('until it may store again', () => {
    const lane = after(shown(aFollowingLane()), arrivalOf(2));

    expect(last(shown(begin(lane)[0]))).toEqual({ kind: 'wait', until: NOW_MS + 1_000 });
  });

  test('until a notice has been read', () => {
    const [lane] = begin(after(aBusyLane(arrivalOf(1)), noticing));
    const ended = after(shown(lane), {
      kind: 'cancel',
      at: NOW,
      message: aCancel({ requestId: 'c', deploymentId: '1', by: 'carol' }),
    });

    const resting = stored(shown(begin(ended)[0]));

    expect(last(resting, { now: NOW_MS + 1_000 })).toEqual({ kind: 'wait', until: NOW_MS + READ_WITHIN_MS });
  });

  test('until it ends where it has nothing to do', () => {
    const lane = aRestingLane();

    expect(last(lane, { now: NOW_MS + 1_000 })).toEqual({ kind: 'wait', until: NOW_MS + lane.idleForMs });
  });
});

describe('a lane without work', () => {
  const lane = aRestingLane();
  const now = NOW_MS + lane.idleForMs;

  test('ends after an hour', () => {
    expect(lane.idleForMs).toBe(lane.durations.idleMs);
    expect(last(lane, { now })).toEqual({ kind: 'finish', how: 'idle' });
  });

  test('stays while something waits for a lock, however long', () => {
    const locked = aRestoredLane({ lock: { kind: 'failed', deploymentId: '0', revision: 'r', by: 'bob', at: NOW } });

    expect(stored(after(locked, arrivalOf(1))).idleSince).toBeUndefined();
  });

  test('stays until GitHub and storage know what became of everything', () => {
    const untold = after(aFollowingLane(), endOf('1', 'cancelled', true));

    expect(kinds(shown(untold), { now })).toEqual(['settle', 'show', 'wait']);
  });
});

describe('a lane with a long history', () => {
  test('goes on in a new run as soon as nothing is under way, also while a deployment runs', () => {
    expect(last(shown(aFollowingLane()), LONG)).toEqual({ kind: 'continue-as-new' });
    expect(last(aFollowingLane(), LONG)?.kind).toBe('wait');
  });

  test('waits for the answers of the workflows that it asked', () => {
    const lane = shown(aFollowingLane());
    const passOn = { kind: 'show-again', deploymentId: '0' } as const;

    expect(last({ ...lane, passingOn: [passOn] }, LONG)?.kind).toBe('wait');
  });

  test('asks twenty of them at a time', () => {
    const lane = shown(aFollowingLane());
    const passOns = Array.from({ length: 30 }, (_, id) => ({ kind: 'show-again', deploymentId: `${id}` }) as const);

    const asking = { ...lane, passOns: passOns.slice(19), passingOn: passOns.slice(0, 19) };
    expect(nextEffect(asking, CALM).kind).toBe('pass-on');
    expect(nextEffect({ ...asking, passingOn: passOns.slice(0, 20) }, CALM).kind).toBe('wait');
  });

  test('is one that ran five hundred deployments', () => {
    expect(last({ ...shown(aFollowingLane()), runs: 500 })).toEqual({ kind: 'continue-as-new' });
  });

  test('begins nothing new', () => {
    expect(kinds(after(shown(aFollowingLane()), arrivalOf(2)), LONG)).toEqual(['continue-as-new']);
  });

  test('waits for nothing but what is under way', () => {
    const [lane] = begin(after(shown(aFollowingLane()), arrivalOf(2)), { now: NOW_MS + 1_000 });

    expect(last(lane, { ...LONG, now: NOW_MS + 1_000 })).toEqual({ kind: 'wait', until: Infinity });
  });

  test('starts what was admitted, and answers whom it has to, before it goes on', () => {
    const [admitting, effects] = begin(after(aRestoredLane(), arrivalOf(1)));
    const admitted = after(shown(admitting), {
      kind: 'admitted',
      effect: effectIn(effects, 'admit'),
      admitted: ADMITTED,
    });
    const noticed = after(shown(aFollowingLane()), noticing);

    expect(kinds(admitted, LONG)).toEqual(['start', 'wait']);
    expect(kinds(noticed, LONG)).toEqual(['pass-on', 'continue-as-new']);
  });

  test('goes on with its deployments while GitHub takes its time', () => {
    const lane = after(aFollowingLane(), arrivalOf(2), endOf('1'));

    expect(kinds(lane, LONG)).toEqual(['pop', 'admit', 'wait']);
  });

  test('looks for the deployment that a message waits for', () => {
    const lane = after(aRestoredLane({ running: deploymentAt(1) }), noticing);

    expect(kinds(lane, LONG)).toEqual(['find', 'wait']);
  });

  test('does not go on before it knows its record: it would know nothing there either', () => {
    expect(kinds(aLane(), LONG)).toEqual(['read', 'wait']);
  });
});

describe('a lane that is cancelled', () => {
  const cancelled = after(shown(aFollowingLane()), CANCEL_LANE);

  test('does not end before what runs has ended', () => {
    expect(last(cancelled, { now: NOW_MS + 60_000 })?.kind).toBe('wait');
  });

  test('ends once all is told and stored, without waiting for its turn to store', () => {
    const [lane, effects] = begin(after(cancelled, endOf('1', 'cancelled')));
    const over = after(shown(lane), {
      kind: 'settled',
      effect: effectIn(effects, 'settle'),
      stored: { kind: 'stored', version: '3' },
    });

    expect(last(over)).toEqual({ kind: 'finish', how: 'cancelled' });
  });

  test('goes on in a new run where something came meanwhile', () => {
    const [lane, effects] = begin(after(cancelled, arrivalOf(2), endOf('1', 'cancelled')));
    const over = after(shown(lane), {
      kind: 'settled',
      effect: effectIn(effects, 'settle'),
      stored: { kind: 'stored', version: '3' },
    });

    expect(last(over)).toEqual({ kind: 'continue-as-new' });
  });

  test('does not wait for its turn to show positions far back', () => {
    const waiting = Array.from({ length: 5 }, (_, index) => arrivalOf(index + 2));
    const [showing, begun] = begin(after(cancelled, ...waiting));
    const first = effectIn(begun, 'settle');
    const settled = after(showing, { kind: 'settled', effect: first, stored: { kind: 'stored', version: '2' } });
    const [ending, effects] = begin(after(shown(settled), endOf('1', 'cancelled')));
    const effect = effectIn(effects, 'settle');
    const told = after(shown(ending), { kind: 'settled', effect, stored: { kind: 'stored', version: '3' } });

    expect(last(told)).toEqual({ kind: 'continue-as-new' });
  });

  test('gives up GitHub after six batches of which it took nothing', () => {
    let lane = after(aBusyLane(arrivalOf(1)), CANCEL_LANE, endOf('0', 'cancelled'));
    let effects: readonly string[] = [];
    for (let now = NOW_MS, tries = 0; tries < 6; now += 60_000, tries += 1) {
      const [sending, begun] = begin(lane, { now });
      effects = begun.map(({ kind }) => kind);
      const settle = begun.find((effect) => effect.kind === 'settle');
      const settled = settle
        ? after(sending, { kind: 'settled', effect: settle, stored: { kind: 'stored', version: '3' } })
        : sending;
      const effect = { kind: 'show', presentations: settled.showing.sending ?? [] } as const;
      lane = after(settled, { kind: 'failed', effect, why: 'GitHub is away' });
    }

    expect(effects).toContain('show');
    expect(last(lane)).toEqual({ kind: 'finish', how: 'cancelled' });
  });

  test('does not end while its record cannot be read: nobody knows what runs', () => {
    const lane = after(aLane(), CANCEL_LANE, { kind: 'read', read: { kind: 'unreadable', why: 'it is broken' } });

    expect(last(lane)?.kind).toBe('wait');
  });
});
