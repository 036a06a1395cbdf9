/** What lanes and their deployments ask of a control worker. */
import { Context } from '@temporalio/activity';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  MESSAGE,
  type LaneActivities,
  type TerraformActivities,
  type TerraformEnd,
  type TerraformResult,
} from '@nereid/contracts';
import { RevisionGoneError } from '@nereid/git';
import type { WorkerContext } from '../context.ts';
import { withFailures } from '../failures.ts';
import { recordAudit } from '../record-audit.ts';
import { withHeartbeats } from '../temporal/with-heartbeats.ts';
import { createHostWatch } from './host-watch.ts';
import { restoreLane, storeLane } from './lane-record.ts';
import { isHeardOf } from './why-no-host.ts';
import { signalLane } from './signal-lane.ts';
import { presentCheckRuns } from './present-check-runs.ts';

export function createLaneActivities(context: WorkerContext): LaneActivities & TerraformActivities {
  return withFailures({
    restoreLane: (...asked) => restoreLane(context, ...asked),
    storeLane: (...asked) => storeLane(context.laneRecords, ...asked),
    storeDeployment: (record) => context.deploymentRecords.write(record),
    compareRevisions: (repository, base, head) => context.github.compare(repository, base, head),
    presentCheckRuns: (repository, presentations) => {
      const { info, cancellationSignal } = Context.current();
      const attempt = { startToCloseMs: info.startToCloseTimeoutMs, signal: cancellationSignal };
      return presentCheckRuns(context, repository, presentations, attempt);
    },
    awaitTerraform: (deploymentId) => withHeartbeats(() => awaitTerraform(context, deploymentId)),
    listContained: (repository, head, shas) => withHeartbeats(() => listContained(context, repository, head, shas)),
    recordAudit: (event) => recordAudit(context, event),
    deleteKeptPlan: (deploymentId) => context.keptPlans.remove(deploymentId),
    async isHostAlive(hostId) {
      const record = await context.hostRecords.read(hostId);
      return record !== undefined && isHeardOf(record, Date.now());
    },
    whyNoHost: createHostWatch({ records: context.hostRecords, logger: context.logger }),
    async signalLane(repository, rootName, state) {
      await signalLane(context, repository, rootName, { name: MESSAGE.terraformState, body: state });
    },
  } satisfies LaneActivities & TerraformActivities);
}

async function listContained(
  { mirrors }: WorkerContext,
  ...[repository, head, shas]: Parameters<LaneActivities['listContained']>
): Promise<readonly string[]> {
  try {
    return await mirrors.contained(repository, head, shas, Context.current().cancellationSignal);
  } catch (error) {
    // The branch was rewritten, and the server has tidied up.
    if (error instanceof RevisionGoneError) return [];
    throw error;
  }
}

async function awaitTerraform(context: WorkerContext, deploymentId: string): Promise<TerraformEnd> {
  const activity = Context.current();
  try {
    // A long poll that nobody waits for any more would outlive its connection.
    const result: unknown = await context.temporal.withAbortSignal(activity.cancellationSignal, () =>
      context.temporal.workflow.getHandle(deploymentId).result(),
    );
    return { kind: 'ended', result: result as TerraformResult }; // The contract of that workflow.
  } catch (error) {
    if (activity.cancellationSignal.aborted) return await activity.cancelled;
    if (error instanceof WorkflowFailedError) return { kind: 'closed' };
    if (error instanceof WorkflowNotFoundError) return { kind: 'not-there' };
    throw error;
  }
}
