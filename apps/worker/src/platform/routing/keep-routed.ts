/** Has the workflows of the installation routed to this worker's version, when that is its turn. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { chooseRoute, type Choice, type Routing } from './choose-route.ts';
import { readRoutes, routeTo } from './read-routes.ts';

export interface KeepRouted {
  readonly temporal: Pick<Client, 'workflow' | 'withDeadline'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly buildId: string;
  readonly routing: Routing;
  /** For tests. */
  readonly now?: () => number;
}

/** Until workflows run, people wait; afterwards, only a version without workers is looked for. */
const EVERY_MS = { first: 500, aside: 5_000, current: 30_000 } as const;

/** Two questions. */
const DEADLINE_MS = 10_000;

/** Stays with it while the worker runs. Returns a function that ends that. */
export function keepRouted(options: KeepRouted): () => Promise<void> {
  const end = new AbortController();
  const { logger, buildId } = options;
  const run = async () => {
    let before: Choice['kind'] | undefined;
    while (!end.signal.aborted) {
      const choice = await routeOnce(options);
      if (choice !== undefined && choice.kind !== before) {
        before = choice.kind;
        logger.info({ version: buildId, choice: choice.kind, because: choice.because }, 'workflows and this version');
      }
      await pause(EVERY_MS[pauseAfter(choice)], undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    end.abort();
    await running;
  };
}

function pauseAfter(choice: Choice | undefined): keyof typeof EVERY_MS {
  if (choice === undefined) return 'first';
  return choice.kind === 'stays aside' ? 'aside' : 'current';
}

/** Undefined when it is not known yet; the next look finds out. */
async function routeOnce({
  temporal,
  logger,
  buildId,
  routing,
  now = Date.now,
}: KeepRouted): Promise<Choice | undefined> {
  try {
    return await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
      const routes = await readRoutes(temporal);
      if (routes === undefined) return undefined;
      const choice = chooseRoute(routes, buildId, routing, now());
      if (choice.kind === 'becomes current') await routeTo(temporal, buildId, routes);
      return choice;
    });
  } catch (error) {
    // Temporal learns of a version with its first question for work, and two workers may route at the same time.
    logger.warn(
      { version: buildId, reason: error instanceof Error ? error.message : String(error) },
      'workflows could not be routed yet',
    );
    return undefined;
  }
}
