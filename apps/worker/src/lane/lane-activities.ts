/** The activities of lanes, their deployments and late outcomes, for control workers. */
import { Context } from '@temporalio/activity';
import {
  reviewAuditEvent,
  type Finish,
  type LaneActivities,
  type LateOutcomeActivities,
  type TerraformActivities,
} from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { withFailures } from '../failures.ts';
import { recordAudits } from '../audit/record-audit.ts';
import { endPreview, finishPreview } from '../pull-request/end-preview.ts';
import { withHeartbeats } from '../temporal/with-heartbeats.ts';
import { admitDeployment } from './record/admit-deployment.ts';
import { begin, verifyReview } from './leave/begin.ts';
import { endDeployment } from './end-deployment.ts';
import { findTerraform } from './find-terraform.ts';
import { finishDeployment } from './record/finish-deployment.ts';
import { createHostWatch } from './hosts/host-watch.ts';
import { readLane } from './record/lane-record.ts';
import { settleLane } from './record/settle-lane.ts';
import { showCheckRun, showCheckRuns } from './show/show-check-runs.ts';
import { showLateOutcome } from './show/show-late-outcome.ts';
import { isHeardOf } from './hosts/why-no-host.ts';
import { withProvenEnding, withProvenRecord, withProvenWords } from './show/proven-words.ts';
import { onlyOrdered, refusedToShow, verifyDeployment } from './verify-orders.ts';

/** As long as a notice on a check run. */
const SENTENCE_LIMIT = 500;

export function createLaneActivities(
  context: WorkerContext,
): LaneActivities & TerraformActivities & LateOutcomeActivities {
  return withFailures({
    readLane: (...asked) => withHeartbeats(() => readLane(context, ...asked)),
    admitDeployment: (admission) =>
      withHeartbeats(() => admitDeployment(context, admission, Context.current().cancellationSignal)),
    settleLane: (settlement) =>
      withHeartbeats(async () => {
        const { repository } = settlement.record;
        const ordered = await onlyOrdered(context, repository, settlement.ended);
        const ended = await Promise.all(ordered.map((one) => withProvenRecord(context, one)));
        return settleLane(context, { ...settlement, ended });
      }),
    findTerraform: (repository, rootName, deploymentId) =>
      withHeartbeats(() => findTerraform(context, repository, rootName, deploymentId)),
    showCheckRuns: (repository, presentations) =>
      withHeartbeats(async () => {
        const ordered = await onlyOrdered(context, repository, presentations);
        const proven = await Promise.all(ordered.map((one) => withProvenWords(context, one)));
        const forged = presentations.filter((one) => !ordered.includes(one)).map(refusedToShow);
        const shown = ordered.length === 0 ? [] : await showCheckRuns(context, repository, proven, attemptOf());
        return [...shown, ...forged];
      }),
    showCheckRun: (repository, presentation) =>
      withHeartbeats(async () => {
        await verifyDeployment(context, { repository, deployment: presentation.deployment });
        return showCheckRun(context, repository, await withProvenWords(context, presentation), attemptOf());
      }),
    verifyReview: (review) => verifyReview(context, review),
    begin: (beginning) => withHeartbeats(() => begin(context, beginning, Context.current().cancellationSignal)),
    recordRefusal: ({ repository, deployment, review, sentence }) =>
      withHeartbeats(async () => {
        await verifyDeployment(context, { repository, deployment });
        await verifyReview(context, review);
        const refusal = sentence.slice(0, SENTENCE_LIMIT);
        await recordAudits(context, [reviewAuditEvent(repository, deployment, review, refusal)]);
      }),
    endDeployment: (ending) =>
      withHeartbeats(async () => {
        await verifyDeployment(context, ending.record);
        const end = isPreview(ending) ? endPreview : endDeployment;
        return end(context, await withProvenEnding(context, ending), attemptOf());
      }),
    finishDeployment: (finish) =>
      withHeartbeats(async () => {
        await verifyDeployment(context, finish.record);
        const proven = { ...finish, record: await withProvenRecord(context, finish.record) };
        await (isPreview(finish) ? finishPreview : finishDeployment)(context, proven);
      }),
    async isHostAlive(hostId) {
      const record = await context.hostRecords.read(hostId);
      return record !== undefined && isHeardOf(record, Date.now());
    },
    showLateOutcome: (outcome) => withHeartbeats(() => showLateOutcome(context, outcome)),
    whyNoHost: createHostWatch({ records: context.hostRecords, logger: context.logger }),
  } satisfies LaneActivities & TerraformActivities & LateOutcomeActivities);
}

function isPreview({ record }: Finish): boolean {
  return record.deployment.trigger === 'preview';
}

function attemptOf() {
  const { info, cancellationSignal } = Context.current();
  return { startToCloseMs: info.startToCloseTimeoutMs, signal: cancellationSignal, number: info.attempt };
}
