/** Work that is bounded in time, and that never runs beside itself, whether or not it hears that its time is over. */
import { whenAborted } from './when-aborted.ts';

export interface Bounds {
  readonly limitMs: number;
  /** Ends the wait as well. */
  readonly signal?: AbortSignal;
}

export interface BoundedWork {
  /**
   * Waits for the work as long as its bounds permit. Rejects with a `TimeoutError`, with the reason of the signal, or, while earlier work
   * of this name goes on in this process, with a `StillRunningError`.
   */
  run<Result>(name: string, work: (signal: AbortSignal) => Promise<Result>, bounds: Bounds): Promise<Result>;
}

/** Earlier work of the same name has not ended. */
export class StillRunningError extends Error {
  override readonly name = 'StillRunningError';
  readonly code = 'STILL_RUNNING';
  /** Its time is over: it hangs, and has not heard of that. */
  readonly isOverdue: boolean;

  constructor(work: string, { beganAt, bounds }: Running) {
    super(`expected the end of "${work}", found it running since ${new Date(beganAt).toISOString()}: it goes first`);
    this.isOverdue = bounds.aborted;
  }
}

interface Running {
  /** In epoch milliseconds. */
  readonly beganAt: number;
  readonly bounds: AbortSignal;
}

export function createBoundedWork(): BoundedWork {
  const running = new Map<string, Running>();
  return {
    async run(name, work, { limitMs, signal }) {
      signal?.throwIfAborted();
      const earlier = running.get(name);
      if (earlier !== undefined) throw new StillRunningError(name, earlier);
      const limit = AbortSignal.timeout(limitMs);
      const bounds = signal ? AbortSignal.any([signal, limit]) : limit;
      const untilEnded = async () => {
        running.set(name, { beganAt: Date.now(), bounds });
        try {
          return await work(bounds);
        } finally {
          running.delete(name);
        }
      };
      return Promise.race([untilEnded(), whenAborted(bounds)]);
    },
  };
}
