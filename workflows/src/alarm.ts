/** The one timer of an actor. Each start or stop of it is an event of history. */
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

export interface Alarm {
  /** Returns when `isSo` holds, or at this time, in epoch milliseconds. It may return earlier. */
  ringsOr(isSo: () => boolean, at: number, why?: string): Promise<void>;
}

/**
 * A timer that would ring too late is replaced, and so is one that would ring more than `earlyMs` too early, in milliseconds. An
 * actor that is often due, and soon, keeps what rings early: it may be due again by then.
 */
export function createAlarm(earlyMs: number): Alarm {
  let set: { readonly at: number; readonly scope: CancellationScope } | undefined;

  function setFor(at: number, summary: string): void {
    if (set === undefined ? at === Infinity : set.at <= at && at - set.at <= earlyMs) return;
    set?.scope.cancel();
    set = undefined;
    if (at === Infinity) return;
    const timer = { at, scope: new CancellationScope() };
    set = timer;
    timer.scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary }))
      .then(
        () => {
          if (set === timer) set = undefined;
        },
        (error: unknown) => {
          if (!isCancellation(error)) throw error;
        },
      );
  }

  return {
    async ringsOr(isSo, at, why = 'something is due') {
      setFor(at, why);
      const waitedFor = set;
      await condition(() => isSo() || set !== waitedFor);
    },
  };
}
