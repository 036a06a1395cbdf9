/** The one timer of a lane. It is replaced only when it must ring earlier: each start or stop is an event of history. */
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

export interface Alarm {
  /** Returns when `isSo` holds, or at this time, in epoch milliseconds. It may return earlier. */
  ringsOr(isSo: () => boolean, at: number): Promise<void>;
}

export function createAlarm(): Alarm {
  let set: { readonly at: number; readonly scope: CancellationScope } | undefined;

  function setFor(at: number): void {
    if (at === Infinity || (set !== undefined && set.at <= at)) return;
    set?.scope.cancel();
    const scope = new CancellationScope();
    set = { at, scope };
    scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: 'when something is due next' }))
      .then(
        () => (set = undefined),
        (error: unknown) => {
          if (!isCancellation(error)) throw error;
        },
      );
  }

  return {
    async ringsOr(isSo, at) {
      setFor(at);
      const waitedFor = set;
      await condition(() => isSo() || set !== waitedFor);
    },
  };
}
