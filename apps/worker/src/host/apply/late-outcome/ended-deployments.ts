/** What Temporal knows of deployments that left something on a host's disk, and how it is told what became of their applies. */
import {
  CONTROL_QUEUE,
  lateOutcomeWorkflowId,
  WORKFLOW,
  type HostJob,
  type IntakeInput,
  type LateOutcomeEvent,
  type TerraformInput,
  type TerraformResult,
} from '@nereid/contracts';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { decodeFirst } from '../../../temporal/decode-first.ts';

export interface EndedDeployments {
  /** Whether the deployment's workflow runs no more. Throws when that cannot be told. */
  isOver(deploymentId: string): Promise<boolean>;
  /**
   * The apply of a deployment that is over and has an unknown outcome. Undefined for any other, and where Temporal has no
   * result of it, which is logged.
   */
  findUnknownApply(deploymentId: string): Promise<UnknownApply | undefined>;
  /** Resolves once it was taken, however often it is told. Throws when that cannot be told, or was not taken for good. */
  tell(jobId: string, event: LateOutcomeEvent): Promise<void>;
}

export interface UnknownApply {
  readonly job: HostJob;
  /** The last one that was asked to apply. */
  readonly hostId: string | undefined;
}

/** A check run is written in a second; what takes longer goes on by itself, and is asked for in the next round. */
const TAKEN_WITHIN_MS = 10_000;

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
        // Temporal forgets what closed long ago.
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

    async tell(jobId, event) {
      const workflowId = lateOutcomeWorkflowId(jobId);
      const input: IntakeInput = { version: 1, delivery: workflowId, receivedAt: new Date().toISOString(), event };
      try {
        await temporal.withDeadline(Date.now() + TAKEN_WITHIN_MS, () =>
          workflow.execute(WORKFLOW.intake, {
            workflowId,
            taskQueue: CONTROL_QUEUE,
            workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
            workflowIdConflictPolicy: 'USE_EXISTING',
            args: [input],
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
  const input = decodeFirst(workflow.options, started?.input) as TerraformInput; // The contract as well.
  const { repository, deployment } = input;
  const { root, revision, requestedBy } = deployment;
  return { job: { deploymentId, jobId: jobs.apply.id, repository, root, revision, requestedBy }, hostId };
}
