/** Lets the janitor of a host make its rounds. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createEndedDeployments, type EndedDeployments } from '../outcome/ended-deployments.ts';

/** Left-over files cost only disk space, so they may stay for a while. */
const ROUND_MS = 10 * 60_000;

/** A worker that has just come back first does the work that waits for it. */
const FIRST_ROUND_MS = 60_000;

export interface Tidying {
  readonly host: { tidy(ended: EndedDeployments): Promise<unknown> };
  readonly temporal: Pick<Client, 'workflow' | 'withDeadline'>;
  readonly logger: Logger;
}

/** Runs until the returned function is called, which resolves when the current round is over. */
export function keepTidy({ host, temporal, logger }: Tidying): () => Promise<void> {
  const ended = createEndedDeployments(temporal, logger);
  let round: Promise<unknown> = Promise.resolve();
  const next = () => {
    round = host.tidy(ended).catch((error: unknown) => {
      logger.warn({ err: error }, 'the janitor could not make its round');
    });
  };
  const first = setTimeout(next, FIRST_ROUND_MS);
  const rounds = setInterval(next, ROUND_MS);
  return async () => {
    clearTimeout(first);
    clearInterval(rounds);
    await round;
  };
}
