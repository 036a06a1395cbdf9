/** Has all roots of a revision shown by the workflow of their rollout. */
import { rolloutWorkflowId, type RolloutInput } from '@nereid/domain/rollout';
import { fairnessKey, fullName, type Repository } from '@nereid/domain/root';
import { shortSha } from '@nereid/domain/deployment';
import { CONTROL_QUEUE, MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../platform/context.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const REVISION = defineSearchAttributeKey(SEARCH_ATTRIBUTE.revision, 'KEYWORD');

/** Temporal's default is 3. Its activity has the same: no deployment waits for what only shows it. */
const PRIORITY = 4;

/** The message starts a workflow that does not run, and has one that ends look once more. */
export async function signalRollout(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  sha: string,
): Promise<void> {
  const input: RolloutInput = { repository, sha };
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.rollout, {
      workflowId: rolloutWorkflowId(repository, sha),
      taskQueue: CONTROL_QUEUE,
      args: [input],
      signal: MESSAGE.look,
      signalArgs: [{ version: 1 }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `the roots of ${fullName(repository)} at ${shortSha(sha)}`,
      priority: { priorityKey: PRIORITY, fairnessKey: fairnessKey(repository) },
      memo: { repository: fullName(repository), revision: sha },
      typedSearchAttributes: [
        { key: REPOSITORY, value: fullName(repository) },
        { key: REVISION, value: sha },
      ],
    }),
  );
}
