/** Which workflows are stuck, as the last watch found: Temporal tries their task again and again, and it fails. */
import type { WatchResult } from '@nereid/domain/activities';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { DEADLINE_MS } from './asked.ts';

/** The ids of lanes and deployments. While Temporal is away, those that were known before; nothing is thrown. */
export type AskStuck = () => Promise<ReadonlySet<string>>;

export interface AskStuckOptions {
  /** For tests. */
  readonly freshMs?: number;
  readonly deadlineMs?: number;
}

/** A watch comes every minute. */
const FRESH_MS = 30_000;

const QUERY = `WorkflowType = '${WORKFLOW.watch}' AND ExecutionStatus = 'Completed'`;

/** However many ask, Temporal is asked once in a while. */
export function createAskStuck(client: Client, logger: Pick<Logger, 'warn'>, options: AskStuckOptions = {}): AskStuck {
  const { freshMs = FRESH_MS, deadlineMs = DEADLINE_MS } = options;
  let known: ReadonlySet<string> = new Set();
  let askedAtMs = -Infinity;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedAtMs = Date.now();
    try {
      const last = await client.withDeadline(Date.now() + deadlineMs, () => lastWatch(client));
      const stuck = last?.stuck.workflows.filter(({ goesOn }) => goesOn === undefined) ?? [];
      known = new Set(stuck.map(({ workflowId }) => workflowId));
    } catch (error) {
      logger.warn({ err: error }, 'Temporal does not say which workflows are stuck: those known before count');
    }
  }

  return async () => {
    if (Date.now() - askedAtMs >= freshMs) asking ??= ask().finally(() => (asking = undefined));
    await asking;
    return known;
  };
}

async function lastWatch({ workflow }: Client): Promise<WatchResult | undefined> {
  for await (const { workflowId, runId } of workflow.list({ query: QUERY, pageSize: 1 }))
    return (await workflow.getHandle(workflowId, runId).result()) as WatchResult; // The contract of that workflow.
  return undefined;
}
