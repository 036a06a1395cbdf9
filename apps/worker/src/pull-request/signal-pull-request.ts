/** Tells the workflow of a pull request that there is news. The message starts a workflow that does not run. */
import {
  pullRequestWorkflowId,
  type PreviewSubject,
  type PullRequestInput,
  type PullRequestNews,
} from '@nereid/domain/pull-request';
import { fairnessKey, fullName, type Repository } from '@nereid/domain/root';
import { CONTROL_QUEUE, MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../platform/context.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');

/** Temporal's default is 3. Its activities have the same: where the server has priorities, hundreds of looks hold up no deployment. */
const PRIORITY = 4;

/** Returns the id of the workflow. */
export async function signalPullRequest(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  subject: PreviewSubject,
  news: 'look' | 'previewEnded',
  of: Omit<PullRequestNews, 'version'> = {},
): Promise<string> {
  const workflowId = pullRequestWorkflowId(repository, subject);
  const input: PullRequestInput = { repository, ...subject };
  const body: PullRequestNews = { version: 1, ...of };
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.pullRequest, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [input],
      signal: MESSAGE[news],
      signalArgs: [body],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `the previews of ${nameOf(subject)} of ${fullName(repository)}`,
      priority: { priorityKey: PRIORITY, fairnessKey: fairnessKey(repository) },
      memo: { repository: fullName(repository), pullRequest: subject.number },
      typedSearchAttributes: [{ key: REPOSITORY, value: fullName(repository) }],
    }),
  );
  return workflowId;
}

function nameOf({ number, group }: PreviewSubject): string {
  return group === undefined ? `#${number}` : `the merge queue's group up to #${number}`;
}
