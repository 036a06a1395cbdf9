/** The activities of lanes, their deployments and late outcomes, for control workers. */
import { Context } from '@temporalio/activity';
import type { LaneActivities, LateOutcomeActivities, TerraformActivities } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { withFailures } from '../failures.ts';
import { recordAudits } from '../record-audit.ts';
import { withHeartbeats } from '../temporal/with-heartbeats.ts';
import { admitDeployment } from './record/admit-deployment.ts';
import { endDeployment } from './end-deployment.ts';
import { findTerraform } from './find-terraform.ts';
import { finishDeployment } from './record/finish-deployment.ts';
import { createHostWatch } from './hosts/host-watch.ts';
import { readLane } from './record/lane-record.ts';
import { settleLane } from './record/settle-lane.ts';
import { showCheckRun, showCheckRuns } from './show/show-check-runs.ts';
import { showLateOutcome } from './show/show-late-outcome.ts';
import { isHeardOf } from './hosts/why-no-host.ts';

export function createLaneActivities(
  context: WorkerContext,
): LaneActivities & TerraformActivities & LateOutcomeActivities {
  return withFailures({
    readLane: (...asked) => withHeartbeats(() => readLane(context, ...asked)),
    admitDeployment: (admission) =>
      withHeartbeats(() => admitDeployment(context, admission, Context.current().cancellationSignal)),
    settleLane: (settlement) => withHeartbeats(() => settleLane(context, settlement)),
    findTerraform: (repository, rootName, deploymentId) =>
      withHeartbeats(() => findTerraform(context, repository, rootName, deploymentId)),
    showCheckRuns: (repository, presentations) =>
      withHeartbeats(() => showCheckRuns(context, repository, presentations, attemptOf())),
    showCheckRun: (repository, presentation) =>
      withHeartbeats(() => showCheckRun(context, repository, presentation, attemptOf())),
    recordAudits: (events) => withHeartbeats(() => recordAudits(context, events)),
    endDeployment: (ending) => withHeartbeats(() => endDeployment(context, ending, attemptOf())),
    finishDeployment: (finish) => withHeartbeats(() => finishDeployment(context, finish)),
    async isHostAlive(hostId) {
      const record = await context.hostRecords.read(hostId);
      return record !== undefined && isHeardOf(record, Date.now());
    },
    showLateOutcome: (outcome) => withHeartbeats(() => showLateOutcome(context, outcome)),
    whyNoHost: createHostWatch({ records: context.hostRecords, logger: context.logger }),
  } satisfies LaneActivities & TerraformActivities & LateOutcomeActivities);
}

function attemptOf() {
  const { info, cancellationSignal } = Context.current();
  return { startToCloseMs: info.startToCloseTimeoutMs, signal: cancellationSignal, number: info.attempt };
}
