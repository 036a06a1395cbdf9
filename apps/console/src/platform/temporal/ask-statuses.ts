/** How far all deployments are that run, by the search attribute that each of them keeps true. */
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from '@nereid/domain/deployment';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Logger } from 'pino';
import { DEADLINE_MS, type Asked } from './asked.ts';

/** By deployment. When Temporal is away, the answer says so; nothing is thrown. */
export type AskStatuses = () => Promise<Asked<ReadonlyMap<string, DeploymentStatus>>>;

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');

/** More than all hosts of anybody work on at once. Temporal answers with a thousand at a time. */
const LIMIT = 10_000;

/** Pages go on without it meanwhile, and do not wait. */
const AWAY_MS = 10_000;

export function createAskStatuses(client: Client, logger: Pick<Logger, 'warn'>): AskStatuses {
  const query = `WorkflowType = '${WORKFLOW.terraform}' AND ExecutionStatus = 'Running'`;
  let awayUntilMs = 0;
  return async () => {
    if (Date.now() < awayUntilMs) return { kind: 'unavailable' };
    try {
      const value = await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
        const found = new Map<string, DeploymentStatus>();
        for await (const { workflowId, typedSearchAttributes } of client.workflow.list({ query, pageSize: 1_000 })) {
          const state = typedSearchAttributes.get(STATE) ?? '';
          if (isStatus(state)) found.set(workflowId, state);
          if (found.size === LIMIT) break;
        }
        return found;
      });
      return { kind: 'found', value };
    } catch (error) {
      awayUntilMs = Date.now() + AWAY_MS;
      logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'Temporal lists no deployments');
      return { kind: 'unavailable' };
    }
  };
}

function isStatus(text: string): text is DeploymentStatus {
  return (DEPLOYMENT_STATUSES as readonly string[]).includes(text);
}
