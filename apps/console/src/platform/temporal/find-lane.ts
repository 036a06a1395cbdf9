/** Finds a deployment's lane by the search attributes of the deployment's terraform workflow. */
import { parseLaneName, type LaneName } from '@nereid/domain/console';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { DEADLINE_MS, type Asked } from './asked.ts';

export type FindLane = (deploymentId: string) => Promise<Asked<LaneName>>;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/** When Temporal is away, the answer says so; nothing is thrown. `deadlineMs` is for tests. */
export function createFindLane({ connection, workflow }: Client, deadlineMs = DEADLINE_MS): FindLane {
  return async (deploymentId) => {
    try {
      return await connection.withDeadline(Date.now() + deadlineMs, async () => {
        const { typedSearchAttributes } = await workflow.getHandle(deploymentId).describe();
        const name = `${typedSearchAttributes.get(REPOSITORY) ?? ''}/${typedSearchAttributes.get(ROOT) ?? ''}`;
        const value = parseLaneName(name);
        return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
      });
    } catch (error) {
      return { kind: error instanceof WorkflowNotFoundError ? 'absent' : 'unavailable' };
    }
  };
}
