import { describe, expect, test } from '@jest/globals';
import type { Progress } from '../../../deployment/progress.ts';
import { ENDED_STATUSES, type EndedStatus } from '../../../deployment/status.ts';
import { aLock } from '../../../testing/samples.ts';
import fc from 'fast-check';
import { find, newLane, type LaneState } from './lane-state.ts';
import { block, end, endWith, giveBack, pop, waitsFor } from './running.ts';
import { receive } from '../requests/receive.ts';
import { describeLock } from '../../../deployment/rules/lock.ts';
import { hasHappened } from '../queue/lock.ts';
import { inOrder } from '../queue/queue.ts';
import { anUnlock, aRequest, NOW, shaAt } from '../../../testing.ts';
import { unlock } from '../requests/unlock.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const manual = { trigger: 'manual', requestedBy: 'bob' } as const;
const waiting = receive(newLane, aRequest(1), 'one', NOW);
const running = pop(waiting, NOW);

const progressOf = (status: Progress['status']): Progress => ({ status, times: { [status]: LATER }, jobs: {} });

describe('the deployment whose turn it is', () => {
  test('becomes the running one', () => {
    expect(running).toMatchObject({ running: { id: 'one', progress: { status: 'preparing' } }, queue: { merged: [] } });
  });

  test('waits while another one runs, or when there is none', () => {
    const two = receive(running, aRequest(2), 'two', NOW);

    expect(pop(two, NOW)).toBe(two);
    expect(pop(newLane, NOW)).toBe(newLane);
  });

  test('goes back to the front with the lock it found when it never started', () => {
    const lock = aLock('failed');
    const locked = receive({ ...newLane, lock }, aRequest(1, manual), 'one', NOW);

    const back = giveBack(pop(locked, NOW), LATER);

    expect(back).toMatchObject({ lock, queue: { manual: [{ id: 'one', progress: { status: 'queued' } }] } });
    expect(back.running).toBeUndefined();
    expect(find(back, 'one')).not.toHaveProperty('foundLock');
  });

  test('goes back to the front and leaves the lock of another alone', () => {
    const lock = aLock();

    expect(giveBack({ ...running, lock }, LATER).lock).toBe(lock);
    expect(giveBack(newLane, LATER)).toBe(newLane);
  });
});

describe('the running deployment', () => {
  test('ends as its terraform workflow says, and remembers when it was queued', () => {
    const ended = find(end(running, progressOf('succeeded'), LATER), 'one');

    expect(ended?.progress).toEqual({
      status: 'succeeded',
      times: { queued: NOW, preparing: NOW, succeeded: LATER },
      jobs: {},
    });
  });

  test('is blocked with a reason, and goes on without it', () => {
    const blocked = block(running, 'GitHub is away', LATER);

    expect(blocked.running?.progress).toMatchObject({ status: 'blocked', reason: 'GitHub is away' });
    expect(block(blocked, 'GitHub is away', LATER)).toBe(blocked);
    expect(block(blocked, undefined, LATER).running?.progress).not.toHaveProperty('reason');
  });

  test('is not touched by a block that is over, nor is a lane where none runs', () => {
    expect(block(running, undefined, LATER)).toBe(running);
    expect(block(waiting, 'GitHub is away', LATER)).toBe(waiting);
  });

  test.each(ENDED_STATUSES)('becomes the latest when it happened, and only then (%s)', (status) => {
    const state = end(running, progressOf(status), LATER);

    expect(state.latest?.deploymentId).toBe(hasHappened(status) ? 'one' : undefined);
    expect(state.running).toBeUndefined();
    expect(state.ended.map(({ id }) => id)).toEqual(['one']);
  });

  test('is the latest since its apply began, and not where another began later', () => {
    const times = { applying: NOW, succeeded: LATER };
    const state = end(running, { ...progressOf('succeeded'), times }, LATER);
    const latest = {
      deploymentId: 'later',
      revision: shaAt(7),
      trigger: 'merge',
      status: 'succeeded',
      at: LATER,
    } as const;

    expect(state.latest?.at).toBe(NOW);
    expect(end({ ...running, latest }, { ...progressOf('succeeded'), times }, LATER).latest).toBe(latest);
  });

  test('keeps, when manual, the merge that was deployed before it; a merge keeps none', () => {
    const endOf = (before: LaneState, number: number, changes: object) =>
      end(pop(receive(before, aRequest(number, changes), String(number), NOW), NOW), progressOf('succeeded'), LATER);
    const merged = { ...endOf(newLane, 1, {}), lock: undefined };
    const byHand = { ...endOf(merged, 2, manual), lock: undefined };
    const byHandAgain = { ...endOf(byHand, 3, manual), lock: undefined };

    const again = endOf(byHandAgain, 5, { ...manual, rerun: true });
    expect(again.latest).toMatchObject({ rerun: true });
    expect(again.latest).not.toHaveProperty('mergeBefore');
    expect(endOf({ ...again, lock: undefined }, 6, manual).latest?.mergeBefore).toBe(shaAt(5));
    expect([merged, byHand, byHandAgain].map(({ latest }) => latest?.mergeBefore)).toEqual([
      undefined,
      shaAt(1),
      shaAt(1),
    ]);
    expect(endOf(byHandAgain, 4, {}).latest).not.toHaveProperty('mergeBefore');
  });

  test('does not end by a status that is no end, and none ends where none runs', () => {
    expect(end(running, progressOf('applying'), LATER)).toBe(running);
    expect(end(waiting, progressOf('succeeded'), LATER)).toBe(waiting);
    expect(endWith(waiting, 'skipped', 'why', LATER)).toBe(waiting);
  });
});

describe('why nothing runs', () => {
  test('is the lock, when something waits for it', () => {
    expect(waitsFor({ ...waiting, lock: aLock() })).toBe('locked by a manual deployment of def5678 by @bob');
  });

  test.each([
    ['something runs', { ...running, lock: aLock() }],
    ['nothing waits', { ...newLane, lock: aLock() }],
    ['nothing is locked', waiting],
  ])('needs no reason when %s', (_when, state) => {
    expect(waitsFor(state)).toBeUndefined();
  });

  test.each([
    ['failed', 'a failed apply of def5678'],
    ['outcome-unknown', 'an apply of def5678, whose outcome is unknown'],
  ] as const)('names a lock that is %s', (kind, sentence) => {
    expect(describeLock(aLock(kind))).toBe(sentence);
  });
});

/** Each press of the button is a request of its own. */
const pressedAgain = (state: LaneState) => anUnlock({ requestId: `unlock ${state.seen.requestIds.length}` });

describe('for every sequence of events', () => {
  type Event =
    | {
        readonly kind: 'receive';
        readonly position: number;
        readonly trigger: 'merge' | 'manual';
        readonly rerun: boolean;
      }
    | { readonly kind: 'end'; readonly status: EndedStatus }
    | { readonly kind: 'pop' | 'unlock' | 'give back' };

  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({
      kind: fc.constant('receive' as const),
      position: fc.nat(9),
      trigger: fc.constantFrom('merge' as const, 'manual' as const),
      rerun: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('end' as const), status: fc.constantFrom(...ENDED_STATUSES) }),
    fc.record({ kind: fc.constantFrom('pop' as const, 'pop' as const, 'unlock' as const, 'give back' as const) }),
  );
  const events = fc.array(event, { maxLength: 50 });

  const happen = (state: LaneState, what: Event, index: number): LaneState => {
    if (what.kind === 'receive') {
      const { position, trigger, rerun } = what;
      return receive(state, aRequest(position, { trigger, rerun, requestId: String(index) }), String(index), NOW);
    }
    if (what.kind === 'end') return endWith(state, what.status, 'why', NOW);
    if (what.kind === 'pop') return pop(state, NOW);
    return what.kind === 'unlock' ? unlock(state, pressedAgain(state), NOW) : giveBack(state, NOW);
  };

  /** Every step with the state before and after it. */
  const steps = (all: readonly Event[]) => {
    let after = newLane;
    return all.map((what, index) => {
      const before = after;
      after = happen(before, what, index);
      return { what, before, after };
    });
  };

  const everyStep = (holds: (step: ReturnType<typeof steps>[number]) => void) =>
    fc.assert(fc.property(events, (all) => steps(all).forEach(holds)));

  test('every deployment that was accepted waits, runs or ended: exactly one of them', () => {
    fc.assert(
      fc.property(events, (all) => {
        const state = all.reduce(happen, newLane);
        const known = [...(state.running ? [state.running] : []), ...inOrder(state.queue), ...state.ended];

        expect(known.map(({ requestId }) => requestId).toSorted()).toEqual(
          state.seen.requestIds.filter((id) => !id.startsWith('unlock')).toSorted(),
        );
      }),
    );
  });

  test('a merged revision is popped while the lane is locked only as a rerun of what the lock is about', () => {
    everyStep(({ what, before, after }) => {
      if (what.kind !== 'pop' || before === after || before.lock === undefined) return;
      const popped = after.running;
      const isRerunOfIt = popped?.rerun === true && popped.revision.sha === before.lock.revision;
      expect(popped?.trigger === 'manual' || isRerunOfIt).toBe(true);
    });
  });

  test('a merged revision is popped from an unlocked lane only when no manual deployment waits', () => {
    everyStep(({ what, before, after }) => {
      if (what.kind !== 'pop' || before === after || before.lock !== undefined) return;
      if (after.running?.trigger === 'merge') expect(before.queue.manual).toEqual([]);
    });
  });

  test('no rerun locks by being popped', () => {
    everyStep(({ what, before, after }) => {
      if (what.kind === 'pop' && after.running?.rerun === true) expect(after.lock).toEqual(before.lock);
    });
  });

  test('what ends before its apply leaves a lane that was unlocked meanwhile unlocked', () => {
    everyStep(({ what, before, after }) => {
      if (what.kind !== 'end' || before.lock !== undefined || hasHappened(what.status)) return;
      expect(after.lock).toBeUndefined();
    });
  });
});
