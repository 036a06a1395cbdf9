/** Asks Temporal about deployments that left files on a host's disk, and reports the late outcomes of their applies. */
import type { Question } from '@nereid/domain/activities';
import {
  lateOutcomeWorkflowId,
  orderOf,
  type HostJob,
  type LateOutcome,
  type TerraformInput,
  type TerraformResult,
} from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { decodeFirst } from '@nereid/process';

export interface EndedDeployments {
  /** Whether the deployment's workflow has ended. Throws when Temporal does not say. */
  isOver(deploymentId: string): Promise<boolean>;
  /**
   * The apply of an ended deployment whose outcome is unknown. Undefined for any other deployment, and when Temporal has no
   * result, which is logged.
   */
  findUnknownApply(deploymentId: string): Promise<UnknownApply | undefined>;
  /** Has the outcome shown, once. Throws while that fails, for another round: reporting it again does no harm. */
  report(jobId: string, outcome: Signed<LateOutcome>): Promise<void>;
}

export interface UnknownApply {
  readonly job: HostJob;
  /** The last host that was asked to apply. */
  readonly hostId: string | undefined;
}

/** A check run is written in a second. A slower workflow goes on by itself, and the next round asks for its result. */
const SHOWN_WITHIN_MS = 10_000;

export function createEndedDeployments(
  temporal: Pick<Client, 'workflow' | 'withDeadline'>,
  logger: Pick<Logger, 'warn'>,
): EndedDeployments {
  const { workflow } = temporal;
  return {
    async isOver(deploymentId) {
      try {
        const { status } = await workflow.getHandle(deploymentId).describe();
        return status.name !== 'RUNNING';
      } catch (error) {
        // Temporal forgets workflows that closed long ago.
        if (error instanceof WorkflowNotFoundError) return true;
        throw error;
      }
    },

    async findUnknownApply(deploymentId) {
      try {
        return await readUnknownApply(workflow, deploymentId);
      } catch (error) {
        if (!(error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError)) throw error;
        logger.warn({ err: error, deployment: deploymentId }, 'Temporal cannot say how a deployment ended');
        return undefined;
      }
    },

    async report(jobId, outcome) {
      const workflowId = lateOutcomeWorkflowId(jobId);
      try {
        await temporal.withDeadline(Date.now() + SHOWN_WITHIN_MS, () =>
          workflow.execute(WORKFLOW.ask, {
            workflowId,
            taskQueue: CONTROL_QUEUE,
            workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
            workflowIdConflictPolicy: 'USE_EXISTING',
            args: [{ kind: 'showLateOutcome', about: outcome } satisfies Question],
          }),
        );
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
  };
}

async function readUnknownApply(workflow: Client['workflow'], deploymentId: string): Promise<UnknownApply | undefined> {
  const handle = workflow.getHandle(deploymentId);
  const { progress } = (await handle.result()) as TerraformResult; // The contract of that workflow.
  const { status, hostId, jobs } = progress;
  if (status !== 'apply-outcome-unknown' || jobs.apply === undefined) return undefined;
  const { events } = await handle.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const input = (await decodeFirst(workflow.options, started?.input)) as TerraformInput; // The contract as well.
  const { repository, deployment } = input;
  return { job: { jobId: jobs.apply.id, order: orderOf(repository, deployment) }, hostId };
}
