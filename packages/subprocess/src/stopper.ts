import { stopCauseOf, type StopCause, type StoppedBy } from './stop-cause.ts';

/** How patiently a command is stopped, in milliseconds. */
export interface StopPatience {
  /** From the first SIGINT to the second. */
  readonly afterSigintMs: number;
  /** From the second SIGINT to SIGKILL. */
  readonly afterSecondSigintMs: number;
}

/** Terraform may need a minute to let providers finish, release its lock and write its state; a second SIGINT hurries it. */
export const STOP_PATIENCE: StopPatience = { afterSigintMs: 60_000, afterSecondSigintMs: 10_000 };

/** At most, for a command whose slot somebody else has. It locks nothing, and is run again. */
const SLOT_NEEDED_PATIENCE: StopPatience = { afterSigintMs: 2_000, afterSecondSigintMs: 1_000 };

export interface StopTriggers {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly patience?: StopPatience | undefined;
}

/** Stops one command, once: SIGINT, a wait, a second SIGINT, a short wait, SIGKILL. */
export interface Stopper extends Disposable {
  readonly causes: ReadonlySet<StopCause>;
  readonly stoppedBy: StoppedBy;
  request(cause: StopCause): void;
  /** Does not wait any longer for a command that was asked to stop. */
  kill(): void;
}

/** `signalGroup` signals every process of the command. Dispose the stopper when the command is over. */
export function createStopper(triggers: StopTriggers, signalGroup: (signal: NodeJS.Signals) => void): Stopper {
  const { signal, timeoutMs } = triggers;
  let { patience = STOP_PATIENCE } = triggers;
  const causes = new Set<StopCause>();
  let stoppedBy: StoppedBy = 'before-start';
  let timer: NodeJS.Timeout | undefined;

  const step = (by: StoppedBy, sent: NodeJS.Signals, thenAfterMs?: number, then?: () => void) => {
    stoppedBy = by;
    signalGroup(sent);
    if (then) timer = setTimeout(then, thenAfterMs);
  };
  const kill = () => {
    clearTimeout(timer);
    if (stoppedBy !== 'sigkill') step('sigkill', 'SIGKILL');
  };
  const escalate = () => {
    step('second-sigint', 'SIGINT', patience.afterSecondSigintMs, kill);
  };
  const request = (cause: StopCause) => {
    const first = causes.size === 0;
    causes.add(cause);
    if (!first) return;
    if (cause === 'slot-needed') patience = shorter(patience, SLOT_NEEDED_PATIENCE);
    clearTimeout(timer);
    step('sigint', 'SIGINT', patience.afterSigintMs, escalate);
  };
  const onAbort = () => {
    if (signal) request(stopCauseOf(signal));
  };

  signal?.addEventListener('abort', onAbort, { once: true });
  if (timeoutMs !== undefined) timer = setTimeout(request, timeoutMs, 'timed-out');
  if (signal?.aborted) onAbort();
  return {
    causes,
    get stoppedBy() {
      return stoppedBy;
    },
    request,
    kill,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function shorter(one: StopPatience, other: StopPatience): StopPatience {
  return {
    afterSigintMs: Math.min(one.afterSigintMs, other.afterSigintMs),
    afterSecondSigintMs: Math.min(one.afterSecondSigintMs, other.afterSecondSigintMs),
  };
}
