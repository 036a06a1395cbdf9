/** After a failed apply, asks for a plan to go back, in a short workflow of its own: no deployment waits for it. */
import type { Question } from '@nereid/domain/activities';
import { revertWorkflowId, type RevertRequest } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { MESSAGE_MS } from '../../lane/start-lane.ts';
import type { WorkerContext } from '../../platform/context.ts';

/** Never throws: people can go back without the plan. */
export async function requestRevert(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  { repository, rootName, deploymentId }: Omit<RevertRequest, 'version'>,
): Promise<void> {
  const { owner, name } = repository;
  const about: RevertRequest = { version: 1, repository: { owner, name }, rootName, deploymentId };
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
      temporal.workflow.start(WORKFLOW.ask, {
        workflowId: revertWorkflowId(deploymentId),
        taskQueue: CONTROL_QUEUE,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        workflowIdConflictPolicy: 'USE_EXISTING',
        args: [{ kind: 'prepareRevert', about } satisfies Question],
        staticSummary: `a plan to go back, after a failed apply of ${rootName} in ${fullName(repository)}`,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    logger.warn({ err: error, deployment: deploymentId }, 'no plan to go back after a failed apply could be asked for');
  }
}
