/** How far the deployments of a revision are, by the search attribute that each of them keeps true. */
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../platform/context.ts';

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');

/** Temporal answers within a second. */
const WITHIN_MS = 10_000;

/** More than a revision has roots, with all their re-runs. Temporal answers with a thousand at a time. */
const LIMIT = 5_000;

/** By deployment. It is Temporal's word, so nobody takes it for an end. */
export async function findStatuses(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  sha: string,
): Promise<ReadonlyMap<string, DeploymentStatus>> {
  const { repository: name, revision } = SEARCH_ATTRIBUTE;
  const query = `WorkflowType = '${WORKFLOW.terraform}' AND ${name} = '${fullName(repository)}' AND ${revision} = '${sha}'`;
  return temporal.withDeadline(Date.now() + WITHIN_MS, async () => {
    const found = new Map<string, DeploymentStatus>();
    for await (const { workflowId, typedSearchAttributes } of temporal.workflow.list({ query, pageSize: 1_000 })) {
      const state = typedSearchAttributes.get(STATE) ?? '';
      if (isStatus(state)) found.set(workflowId, state);
      if (found.size === LIMIT) break;
    }
    return found;
  });
}

function isStatus(text: string): text is DeploymentStatus {
  return (DEPLOYMENT_STATUSES as readonly string[]).includes(text);
}
