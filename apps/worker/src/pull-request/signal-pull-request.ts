/** Tells the workflow of a pull request that there is news. The message starts a workflow that does not run. */
import {
  CONTROL_QUEUE,
  fullName,
  MESSAGE,
  pullRequestWorkflowId,
  SEARCH_ATTRIBUTE,
  WORKFLOW,
  type PullRequestInput,
  type PullRequestNews,
  type Repository,
} from '@nereid/contracts';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../context.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');

/** Returns the id of the workflow. */
export async function signalPullRequest(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  number: number,
  news: 'look' | 'previewEnded',
  deployed?: string,
): Promise<string> {
  const workflowId = pullRequestWorkflowId(repository, number);
  const input: PullRequestInput = { repository, number };
  const body: PullRequestNews = { version: 1, ...(deployed !== undefined && { deployed }) };
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.pullRequest, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [input],
      signal: MESSAGE[news],
      signalArgs: [body],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `the previews of #${number} of ${fullName(repository)}`,
      memo: { repository: fullName(repository), pullRequest: number },
      typedSearchAttributes: [{ key: REPOSITORY, value: fullName(repository) }],
    }),
  );
  return workflowId;
}
