import type { RetentionConfig } from '@nereid/config';
import type { SweepPart, SweptPart } from '@nereid/domain/activities';
import { defined } from '@nereid/domain/defined';
import { ORDER_LIFE_MS } from '@nereid/domain/deployment';
import type { WorkerContext } from '../platform/context.ts';

/** The parts of the context of which a sweep has need. */
export type SweepContext = Pick<WorkerContext, 'sweeper' | 'logger'> & {
  readonly metrics: Pick<WorkerContext['metrics'], 'onSwept'>;
  readonly server: { current(): { readonly retention: RetentionConfig } };
};

export interface SweepCall {
  /** When the sweep began, by another clock than ours. ISO 8601. */
  readonly at: string;
  readonly after: string | undefined;
  readonly signal: AbortSignal;
}

/** More than clocks of hosts and of control differ. */
const CLOCKS_MS = 30 * 24 * 3_600_000;

/** How long each kind is kept; undefined where the server's file does not say. A marker is younger than its order. */
const KEPT_MS: Readonly<Record<SweepPart, (retention: RetentionConfig) => number | undefined>> = {
  logs: ({ logsMs }) => logsMs,
  deployments: ({ recordsMs }) => recordsMs,
  rollouts: ({ recordsMs }) => recordsMs,
  days: ({ recordsMs }) => recordsMs,
  begun: () => ORDER_LIFE_MS + CLOCKS_MS,
};

/** Does nothing where the server's file does not say for how long this is kept. */
export async function sweep(context: SweepContext, part: SweepPart, call: SweepCall): Promise<SweptPart> {
  const { sweeper, logger, metrics, server } = context;
  const keptMs = KEPT_MS[part](server.current().retention);
  if (keptMs === undefined) return { removed: 0, failed: 0 };
  const { after, signal } = call;
  const swept = await sweeper[part]({
    ...{ beforeMs: (await earliestMs(context, call)) - keptMs, signal },
    ...defined({ after }),
    onFailure: (err) => {
      logger.warn({ err, part }, 'something that is old could not be removed');
    },
  });
  metrics.onSwept(part, swept);
  if (swept.removed > 0) logger.info({ part, removed: swept.removed }, 'removed what is old');
  return swept;
}

/**
 * A clock that is ahead makes everything look old. So the earliest of three counts: Temporal's, that of the store, and our own. One
 * that is behind only keeps things for longer, so nobody who says what Temporal's time is has anything removed.
 */
async function earliestMs({ sweeper }: SweepContext, { at }: SweepCall): Promise<number> {
  const clocks = { Temporal: Date.parse(at), storage: await sweeper.now(), worker: Date.now() };
  for (const [name, ms] of Object.entries(clocks)) if (!Number.isFinite(ms)) throw new ClockMissingError(name);
  return Math.min(...Object.values(clocks));
}

/** Nobody knows what is old. */
class ClockMissingError extends Error {
  override readonly name = 'ClockMissingError';
  readonly code = 'CLOCK_MISSING';

  constructor(clock: string) {
    super(`expected a time from the clock of ${clock}, found none: nothing was removed`);
  }
}
