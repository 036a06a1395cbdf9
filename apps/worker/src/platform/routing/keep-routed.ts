/** Has the workflows of the installation routed to this worker's version, when that is its turn. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { chooseRoute, watchCurrent, type Choice, type Routing, type Watched } from './choose-route.ts';
import { readRoutes, routeTo } from './read-routes.ts';

export interface KeepRouted {
  readonly temporal: Pick<Client, 'workflow' | 'withDeadline'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly buildId: string;
  /** As the server's file says at that moment. */
  readonly routing: () => Routing;
  /** For tests. */
  readonly now?: () => number;
  /** For tests: from one look to the next while the version stays aside. */
  readonly asideMs?: number;
}

/** Until workflows run, people wait; afterwards, only a version without workers is looked for. */
const EVERY_MS = {
  'not known': 500,
  failed: 5_000,
  'stays aside': 5_000,
  'becomes current': 30_000,
  'is current': 30_000,
} as const;

/** Two questions. */
const DEADLINE_MS = 10_000;

/** Stays with it while the worker runs. Returns a function that ends that. */
export function keepRouted(options: KeepRouted): () => Promise<void> {
  const end = new AbortController();
  const { logger, buildId, asideMs = EVERY_MS['stays aside'] } = options;
  const everyMs = { ...EVERY_MS, 'stays aside': asideMs };
  const run = async () => {
    let before: Looked = { kind: 'not known' };
    while (!end.signal.aborted) {
      const looked = await routeOnce(options, before.watched);
      const { kind, because } = looked;
      if (kind !== before.kind && because !== undefined)
        logger.info({ version: buildId, choice: kind, because }, 'workflows and this version');
      before = looked;
      await pause(everyMs[kind], undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    end.abort();
    await running;
  };
}

type Looked =
  | (Choice & { readonly watched: Watched })
  | { readonly kind: 'not known' | 'failed'; readonly because?: undefined; readonly watched?: undefined };

async function routeOnce(
  { temporal, logger, buildId, routing, now = Date.now }: KeepRouted,
  before: Watched | undefined,
): Promise<Looked> {
  try {
    return await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
      const routes = await readRoutes(temporal);
      if (routes?.known.includes(buildId) !== true) return { kind: 'not known' };
      const watched = watchCurrent(before, routes);
      const choice = chooseRoute({ ...routes, ...watched }, buildId, routing(), now());
      if (choice.kind === 'becomes current') await routeTo(temporal, buildId, routes);
      return { ...choice, watched };
    });
  } catch (error) {
    // Temporal is away, or another worker has just routed.
    logger.warn(
      { version: buildId, reason: error instanceof Error ? error.message : String(error) },
      'workflows could not be routed yet',
    );
    return { kind: 'failed' };
  }
}
