/** All open lanes and deployments, as Temporal lists them. */
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../platform/context.ts';

type Listed = Pick<WorkflowExecutionInfo, 'type' | 'typedSearchAttributes'>;

const QUERY = `WorkflowType IN ('${WORKFLOW.deploy}', '${WORKFLOW.terraform}') AND ExecutionStatus = 'Running'`;

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');

/** The states of lanes in which something may wait. A lane that rests has nothing that waits. */
const AT_WORK: ReadonlySet<string> = new Set(['running', 'locked', 'waiting', 'blocked']);

export async function listOpen({
  temporal,
}: Pick<WorkerContext, 'temporal'>): Promise<readonly WorkflowExecutionInfo[]> {
  const open: WorkflowExecutionInfo[] = [];
  for await (const workflow of temporal.workflow.list({ query: QUERY })) open.push(workflow);
  return open;
}

export function stateOf({ typedSearchAttributes }: Listed): string | undefined {
  return typedSearchAttributes.get(STATE);
}

/** The lanes among them in which something may wait. */
export function lanesAtWork<Workflow extends Listed>(open: readonly Workflow[]): readonly Workflow[] {
  return open.filter((one) => one.type === WORKFLOW.deploy && AT_WORK.has(stateOf(one) ?? ''));
}
