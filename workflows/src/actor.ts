/**
 * An actor: a workflow as one inbox and one loop.
 *
 * Messages and the ends of effects are events, and go to the inbox. The pure rules of the actor decide what an event changes, and
 * which effect comes next. Nothing else changes the state, so the order in which Temporal wakes several waits decides nothing.
 */
import { CancellationScope } from '@temporalio/workflow';
import { createAlarm } from './alarm.ts';
import { timestamp } from './timestamp.ts';

/** There is nothing to do before the next event, or this time, in epoch milliseconds. */
export interface Wait {
  readonly kind: 'wait';
  readonly until: number;
  /** What is due then, as Temporal shows it. */
  readonly why?: string;
}

/** Events of every actor. Times are in ISO 8601. */
export type CommonEvent<Effect> =
  | { readonly kind: 'begun'; readonly effect: Effect }
  /** Somebody cancelled the workflow. */
  | { readonly kind: 'cancel-requested'; readonly at: string };

/** Pure. `now` is in epoch milliseconds. */
export interface Rules<State, Event, Effect> {
  readonly decide: (state: State, events: readonly Event[], now: number) => State;
  readonly nextEffect: (state: State, now: number) => Effect | Wait;
}

export interface Play<State, Event, Effect, Result> {
  /** Begins an effect, and emits its end as an event. */
  readonly begin: (state: State, effect: Effect, emit: (event: Event) => void) => void;
  /** How the workflow is over; undefined for an effect after which the actor goes on. */
  readonly end: (state: State, effect: Effect) => Promise<Result> | undefined;
  /** Called when somebody has time to look: before each wait, and before the end. */
  readonly describe: (state: State) => void;
  /** As of the alarm. */
  readonly earlyMs: number;
}

export interface Actor<State, Event, Effect> {
  readonly state: State;
  /** Puts an event into the inbox. */
  readonly emit: (event: Event) => void;
  /** Lives until it is over. A cancellation of the workflow is an event like any other. */
  readonly play: <Result>(how: Play<State, Event, Effect, Result>) => Promise<Result>;
}

export function createActor<State, Event, Effect extends { readonly kind: string }>(
  opened: State,
  { decide, nextEffect }: Rules<State, Event | CommonEvent<Effect>, Effect>,
): Actor<State, Event, Effect> {
  const inbox: (Event | CommonEvent<Effect>)[] = [];
  let state = opened;

  async function live<Result>({ begin, end, describe, earlyMs }: Play<State, Event, Effect, Result>): Promise<Result> {
    const alarm = createAlarm(earlyMs);
    const emit = (event: Event) => void inbox.push(event);
    for (;;) {
      state = decide(state, inbox.splice(0), Date.now());
      const next = nextEffect(state, Date.now());
      if (isWait(next)) {
        describe(state);
        await alarm.ringsOr(() => inbox.length > 0, next.until, next.why);
      } else {
        const over = end(state, next);
        if (over !== undefined) {
          describe(state);
          return over;
        }
        inbox.push({ kind: 'begun', effect: next });
        begin(state, next, emit);
      }
    }
  }

  return {
    get state() {
      return state;
    },
    emit: (event) => void inbox.push(event),
    play(how) {
      const scope = CancellationScope.current();
      scope.cancelRequested.catch(() => inbox.push({ kind: 'cancel-requested', at: timestamp() }));
      return CancellationScope.nonCancellable(() => live(how));
    },
  };
}

function isWait(next: { readonly kind: string }): next is Wait {
  return next.kind === 'wait';
}
