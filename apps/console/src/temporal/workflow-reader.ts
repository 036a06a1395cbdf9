/** What running workflows say. Every question has a deadline; Temporal being away is an answer, not a failure. */
import {
  laneWorkflowId,
  MESSAGE,
  SEARCH_ATTRIBUTE,
  type LaneView,
  type Progress,
  queryAtRest,
} from '@nereid/contracts';
import { setTimeout } from 'node:timers/promises';
import { parseLaneName, type LaneName } from '@nereid/github';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

export type Asked<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  /** Temporal is away, or no worker answers a query. */
  | { readonly kind: 'unavailable' };

export interface WorkflowReader {
  lane(lane: LaneName): Promise<Asked<LaneView>>;
  progress(deploymentId: string): Promise<Asked<Progress>>;
  /** To which lane a terraform workflow belongs, by its search attributes. */
  laneOf(deploymentId: string): Promise<Asked<LaneName>>;
}

/** A person waits for the page: what Temporal does not say by then is left out. */
const DEADLINE_MS = 5_000;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/** `deadlineMs` is for tests. */
export function createWorkflowReader({ connection, workflow }: Client, deadlineMs = DEADLINE_MS): WorkflowReader {
  async function ask<T>(question: () => Promise<T | undefined>): Promise<Asked<T>> {
    try {
      const value = await connection.withDeadline(Date.now() + deadlineMs, question);
      return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
    } catch (error) {
      return { kind: error instanceof WorkflowNotFoundError ? 'absent' : 'unavailable' };
    }
  }

  return {
    lane: ({ owner, name, rootName }) =>
      ask(() =>
        queryAtRest<LaneView>(workflow.getHandle(laneWorkflowId({ owner, name }, rootName)), MESSAGE.lane, setTimeout),
      ),

    progress: (deploymentId) =>
      ask(() => queryAtRest<Progress>(workflow.getHandle(deploymentId), MESSAGE.progress, setTimeout)),

    laneOf: (deploymentId) =>
      ask(async () => {
        const { typedSearchAttributes } = await workflow.getHandle(deploymentId).describe();
        return parseLaneName(`${typedSearchAttributes.get(REPOSITORY) ?? ''}/${typedSearchAttributes.get(ROOT) ?? ''}`);
      }),
  };
}
