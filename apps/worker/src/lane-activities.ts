/**
 * The activities of lanes and their deployments, for control workers. What happens in a lane concerns pull requests
 * and rollouts as well, so these stand above all of them.
 */
import { Context } from '@temporalio/activity';
import type { Finish, TerraformActivities } from '@nereid/domain/deployment-actor';
import type { LaneActivities } from '@nereid/domain/lane';
import type { WorkerContext } from './platform/context.ts';
import { withFailures } from './platform/failures/failures.ts';
import { recordRefusal, recordUnapplied } from './lane/record/record-aside.ts';
import { endPreview, finishPreview } from './pull-request/end-preview.ts';
import { findDependencies } from './rollout/find-dependencies.ts';
import { noteState } from './pull-request/stale/seen-state.ts';
import { notifyPullRequestsOfDeployment } from './pull-request/notify-pull-requests.ts';
import { notifyDependents } from './rollout/notify-dependents.ts';
import { withHeartbeats } from './platform/temporal/with-heartbeats.ts';
import { admitDeployment } from './lane/record/admit-deployment.ts';
import { begin } from './gates/begin.ts';
import { findReviewedPlan } from './gates/reviewed/find-reviewed-plan.ts';
import { verifyPress } from './lane/verify-decisions.ts';
import { endDeployment } from './lane/end-deployment.ts';
import { findTerraform } from './lane/find/find-terraform.ts';
import { finishDeployment } from './lane/record/finish-deployment.ts';
import { findPlanner } from './host/claim/find-planner.ts';
import { createHostWatch } from './lane/hosts/host-watch.ts';
import { readLane } from './lane/record/lane-record.ts';
import { settleLane } from './lane/record/settle-lane.ts';
import { showCheckRun, showCheckRuns } from './lane/show/show-check-runs.ts';
import { isHeardOf } from './lane/hosts/why-no-host.ts';
import { withProvenEnding, withProvenRecord, withProvenWords } from './lane/show/proven/proven-words.ts';
import { withoutForgedPlan } from './lane/show/proven/without-forged-plan.ts';
import { onlyOrdered, refusedToShow, verifyDeployment, openPlan } from './lane/verify-orders.ts';

export function createLaneActivities(context: WorkerContext): LaneActivities & TerraformActivities {
  const whyNoHost = createHostWatch({ records: context.hostRecords, logger: context.logger });
  return withFailures({
    readLane: (...asked) => withHeartbeats(() => readLane(context, ...asked)),
    admitDeployment: (admission) =>
      withHeartbeats(() => admitDeployment(context, admission, Context.current().cancellationSignal)),
    settleLane: (settlement) =>
      withHeartbeats(async () => {
        const { repository } = settlement.record;
        const said = await Promise.all(settlement.ended.map((one) => withoutForgedPlan(context, one)));
        const ordered = await onlyOrdered(context, repository, said);
        const ended = await Promise.all(ordered.map((one) => withProvenRecord(context, one)));
        const stored = await settleLane(context, { ...settlement, ended });
        await Promise.all(ended.map(({ deployment }) => notifyDependents(context, repository, deployment)));
        // Their plans wait for the end of a merge, whatever it was.
        if (ended.length > 0) await notifyPullRequestsOfDeployment(context, repository, settlement.record.rootName);
        return stored;
      }),
    findTerraform: (repository, rootName, running) =>
      withHeartbeats(() => findTerraform(context, repository, rootName, running)),
    findDependencies: (repository, dependents) =>
      withHeartbeats(() => findDependencies(context, repository, dependents)),
    showCheckRuns: (repository, presentations) =>
      withHeartbeats(async () => {
        const said = await Promise.all(presentations.map((one) => withoutForgedPlan(context, one)));
        const ordered = await onlyOrdered(context, repository, said);
        const proven = await Promise.all(ordered.map((one) => withProvenWords(context, repository, one)));
        const forged = said.filter((one) => !ordered.includes(one)).map(refusedToShow);
        const shown = ordered.length === 0 ? [] : await showCheckRuns(context, repository, proven, attemptOf());
        return [...shown, ...forged];
      }),
    showCheckRun: (repository, presentation) =>
      withHeartbeats(async () => {
        const said = await withoutForgedPlan(context, presentation);
        const { deployment } = said;
        await verifyDeployment(context, { repository, deployment }, Context.current().info.scheduledTimestampMs);
        const isAtGate = deployment.progress.status === 'awaiting-review';
        const told = isAtGate ? notifyDependents(context, repository, deployment) : undefined;
        const proven = await withProvenWords(context, repository, said);
        const noted = isAtGate ? noteState(context, repository, proven.deployment, attemptOf().number > 1) : undefined;
        const shown = await showCheckRun(context, repository, proven, attemptOf());
        await Promise.all([told, noted]);
        return shown;
      }),
    findReviewedPlan: (repository, deployment) =>
      withHeartbeats(() => {
        const { info, cancellationSignal: signal } = Context.current();
        const tools = { context, scheduledAtMs: info.scheduledTimestampMs, signal };
        return findReviewedPlan(tools, repository, deployment);
      }),
    async verifyPlan(deployment, plan) {
      await openPlan(context, deployment, plan);
    },
    verifyPress: (press) => verifyPress(context, press),
    begin: (beginning) => withHeartbeats(() => begin(context, beginning, Context.current().cancellationSignal)),
    recordAside: (aside) =>
      withHeartbeats(() => ('review' in aside ? recordRefusal(context, aside) : recordUnapplied(context, aside))),
    endDeployment: (ending) =>
      withHeartbeats(async () => {
        const said = { ...ending, record: await withoutForgedPlan(context, ending.record) };
        await verifyDeployment(context, said.record);
        const end = isPreview(ending) ? endPreview : endDeployment;
        const ended = await end(context, await withProvenEnding(context, said), attemptOf());
        if (ended.isStored) await notifyOthers(context, ending);
        return ended;
      }),
    finishDeployment: (finish) =>
      withHeartbeats(async () => {
        const said = await withoutForgedPlan(context, finish.record);
        await verifyDeployment(context, said);
        const proven = { ...finish, record: await withProvenRecord(context, said) };
        await (isPreview(finish) ? finishPreview : finishDeployment)(context, proven);
        await notifyOthers(context, finish);
      }),
    async isHostAlive(hostId) {
      const record = await context.hostRecords.read(hostId);
      return record !== undefined && isHeardOf(record, Date.now());
    },
    explainWait: async (pool) =>
      (await findPlanner(context.temporal, workflowIdOf())) ?? { kind: 'waits', why: await whyNoHost(pool) },
  } satisfies LaneActivities & TerraformActivities);
}

/** After its end is stored: pull requests look there whether their root is deployed. */
async function notifyOthers(context: WorkerContext, finish: Finish): Promise<void> {
  const { repository, deployment } = finish.record;
  await notifyDependents(context, repository, deployment);
  if (!isPreview(finish)) await notifyPullRequestsOfDeployment(context, repository, deployment.root.name);
}

function isPreview({ record }: Finish): boolean {
  return record.deployment.trigger === 'preview';
}

/** Empty for an activity of no workflow. */
function workflowIdOf(): string {
  return Context.current().info.workflowExecution?.workflowId ?? '';
}

function attemptOf() {
  const { info, cancellationSignal } = Context.current();
  return { startToCloseMs: info.startToCloseTimeoutMs, signal: cancellationSignal, number: info.attempt };
}
