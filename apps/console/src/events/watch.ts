/** Looks again and again for as long as somebody follows, and publishes what has changed since the look before. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Change } from './change.ts';
import { createChangeLog, type ChangeLog, type Listener } from './change-log.ts';

export interface Watch {
  readonly log: Pick<ChangeLog, 'since' | 'lastId'>;
  follow(listener: Listener): Following;
}

export interface Following {
  /** Fulfilled after the first look: whoever takes the state from then on misses no change. */
  readonly begun: Promise<void>;
  readonly stop: () => void;
}

export type Publish = (changes: readonly Change[]) => void;

export interface WatchOptions {
  /** Publishes what has changed since the look before. The first one only remembers what it sees. */
  readonly look: (publish: Publish) => Promise<void>;
  readonly pauseMs: () => number;
  /** The console stops. */
  readonly stopping: AbortSignal;
  readonly logger: Pick<Logger, 'warn'>;
  /** Nobody follows any more. */
  readonly onLeft?: () => void;
}

/** Between two times, changes are not lost: the next look sees them. */
export function createWatch({ look, pauseMs, stopping, logger, onLeft }: WatchOptions): Watch {
  const log = createChangeLog();
  let followers = 0;
  let isRunning = false;
  let begun = Promise.withResolvers<undefined>();
  let left = new AbortController();

  async function lookOnce(): Promise<void> {
    try {
      await look(log.publish);
    } catch (error) {
      logger.warn({ err: error }, 'a look for changes failed');
    }
    begun.resolve(undefined);
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (followers > 0 && !stopping.aborted) {
      await lookOnce();
      const signal = AbortSignal.any([left.signal, stopping]);
      // It ends early, which is no error, when the last one leaves or the console stops.
      await sleep(pauseMs(), undefined, { signal }).catch(() => undefined);
    }
    isRunning = false;
  }

  return {
    log,
    follow(listener) {
      if (followers === 0) {
        begun = Promise.withResolvers();
        left = new AbortController();
      }
      followers += 1;
      const stopListening = log.listen(listener);
      if (!isRunning) void run();
      return {
        begun: begun.promise,
        stop() {
          stopListening();
          followers -= 1;
          if (followers > 0) return;
          left.abort();
          onLeft?.();
        },
      };
    },
  };
}
