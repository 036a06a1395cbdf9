/**
 * The activities of lanes and their deployments, for control workers. What happens in a lane concerns pull requests
 * and rollouts as well, so these stand above all of them.
 */
import { Context } from '@temporalio/activity';
import { defined } from '@nereid/domain/defined';
import { orderOf, type DeploymentRecord } from '@nereid/domain/deployment';
import type { Ended, Ending, TerraformActivities } from '@nereid/domain/deployment-actor';
import type { LaneActivities } from '@nereid/domain/lane';
import { poolOf } from '@nereid/domain/root';
import type { WorkerContext } from './platform/context.ts';
import { toBeginFailure, withFailures } from './platform/failures/failures.ts';
import { recordRefusal, recordUnapplied } from './lane/record/record-aside.ts';
import { endPreview, finishPreview } from './pull-request/end-preview.ts';
import { findDependencies } from './rollout/find-dependencies.ts';
import { noteState } from './pull-request/stale/seen-state.ts';
import { requestRevert } from './pull-request/reverts/request-revert.ts';
import { notifyPullRequestsOfDeployment } from './pull-request/notify-pull-requests.ts';
import { notifyDependents } from './rollout/notify-dependents.ts';
import { soakFacts } from './rollout/waves/soak-facts.ts';
import { notifyWaves } from './rollout/waves/notify-waves.ts';
import { sealKeyOf } from './platform/keys/pool-keys.ts';
import { createMint } from './platform/tokens/read-tokens.ts';
import { createSealReadToken } from './platform/tokens/seal-read-token.ts';
import { createTokenForAdmission, type TokenForAdmission } from './platform/tokens/token-for-admission.ts';
import { withHeartbeats } from './platform/temporal/with-heartbeats.ts';
import { admitDeployment } from './lane/record/admit-deployment.ts';
import { begin } from './gates/begin.ts';
import { carryReview } from './gates/reviewed/carry-review.ts';
import { findReviewedPlan } from './gates/reviewed/find-reviewed-plan.ts';
import { verifyPress } from './lane/verify-decisions.ts';
import { endDeployment } from './lane/end/end-deployment.ts';
import { proveEnding } from './lane/end/prove-ending.ts';
import { settleOrdered } from './lane/end/settle-ordered.ts';
import { settleReturned } from './lane/end/settle-returned.ts';
import { findTerraform } from './lane/find/find-terraform.ts';
import { finishDeployment } from './lane/record/finish-deployment.ts';
import { returnPlanLeases } from './lane/budgets/budget-leases.ts';
import { findPlanner } from './host/claim/find-planner.ts';
import { createHostWatch } from './lane/hosts/host-watch.ts';
import { readLane } from './lane/record/lane-record.ts';
import { showCheckRun, type NumberedAttempt } from './lane/show/show-check-runs.ts';
import { showFirst, showProven } from './lane/show/show-proven.ts';
import { isHeardOf } from './lane/hosts/why-no-host.ts';
import { withProvenWords } from './lane/show/proven/proven-words.ts';
import { withoutForgedPlan } from './lane/show/proven/without-forged-plan.ts';
import { verifyDeployment, openPlan } from './lane/verify-orders.ts';

export function createLaneActivities(context: WorkerContext): LaneActivities & TerraformActivities {
  const whyNoHost = createHostWatch({ records: context.hostRecords, logger: context.logger });
  const tokenFor = tokenForHosts(context);
  return withFailures({
    readLane: (...asked) => withHeartbeats(() => readLane(context, ...asked)),
    admitDeployment: ({ show, ...admission }) =>
      withHeartbeats(async () => {
        const { cancellationSignal: signal } = Context.current();
        const { repository, running } = admission.record;
        const [admitted, shown, readToken] = await Promise.all([
          admitDeployment({ ...context, soakFacts: (...asked) => soakFacts(context, ...asked) }, admission, signal),
          show && showFirst(context, repository, show, signal),
          running && tokenFor?.(orderOf(repository, running)),
        ]);
        return { ...admitted, ...defined({ shown, readToken }) };
      }),
    settleLane: (settlement) =>
      withHeartbeats(async () => {
        const settle = settlement.returned === undefined ? settleOrdered : settleReturned;
        const { settled, ended } = await settle(context, settlement, attemptOf());
        await notifyOfEnds(context, ended);
        return settled;
      }),
    findTerraform: (repository, rootName, running) =>
      withHeartbeats(() => findTerraform(context, repository, rootName, running)),
    findDependencies: (repository, dependents) =>
      withHeartbeats(() => findDependencies(context, repository, dependents)),
    showCheckRuns: (repository, presentations) =>
      withHeartbeats(() => showProven(context, repository, presentations, attemptOf())),
    showCheckRun: (repository, presentation) =>
      withHeartbeats(async () => {
        const said = await withoutForgedPlan(context, presentation);
        const { deployment } = said;
        await verifyDeployment(context, { repository, deployment }, Context.current().info.scheduledTimestampMs);
        const isInReview = deployment.progress.status === 'awaiting-review';
        const notified = isInReview ? notifyDependents(context, repository, deployment) : undefined;
        // Its plan is signed.
        const returned = isInReview ? returnPlanLeases(context, { repository, deployment }) : undefined;
        const proven = await withProvenWords(context, repository, said);
        const noted = isInReview
          ? noteState(context, repository, proven.deployment, attemptOf().number > 1)
          : undefined;
        const shown = await showCheckRun(context, repository, proven, attemptOf());
        await Promise.all([notified, noted, returned]);
        return shown;
      }),
    findReviewedPlan: (repository, deployment) =>
      withHeartbeats(() => {
        const { info, cancellationSignal: signal } = Context.current();
        const tools = { context, scheduledAtMs: info.scheduledTimestampMs, signal };
        return findReviewedPlan(tools, repository, deployment);
      }),
    carryReview: (carrying) => carryReview(context, carrying),
    async verifyPlan(deployment, plan) {
      await openPlan(context, deployment, plan);
    },
    verifyPress: (press) => verifyPress(context, press),
    begin: (beginning) =>
      withHeartbeats(async () => {
        const { cancellationSignal: signal, info } = Context.current();
        try {
          return await begin(context, beginning, signal);
        } catch (error) {
          throw toBeginFailure(error, info.attempt);
        }
      }),
    recordAside: (aside) =>
      withHeartbeats(() => ('review' in aside ? recordRefusal(context, aside) : recordUnapplied(context, aside))),
    endDeployment: (ending) =>
      withHeartbeats(async () => {
        const proven = await proveEnding(context, ending);
        const ended = await end(context, proven, attemptOf());
        if (ended.isStored) await notifyOfEnds(context, [proven.record]);
        return ended;
      }),
    async isHostAlive(hostId) {
      const record = await context.hostRecords.read(hostId);
      return record !== undefined && isHeardOf(record, Date.now());
    },
    explainWait: async (pool) =>
      (await findPlanner(context.temporal, workflowIdOf())) ?? { kind: 'waits', why: await whyNoHost(pool) },
  } satisfies LaneActivities & TerraformActivities);
}

/** Undefined where this process is a host as well: then hosts have the key of the App, and make their tokens themselves. */
function tokenForHosts(context: WorkerContext): TokenForAdmission | undefined {
  const { config, logger } = context;
  if (config.roles.includes('terraform')) return undefined;
  const tools = { context, mint: createMint(context), sealKeyOf: (pool: string) => sealKeyOf(config, pool) };
  const tokenFor = createTokenForAdmission({ seal: createSealReadToken(tools), logger });
  // A pool without a key to seal to has hosts with the key of the App.
  return (order) =>
    tools.sealKeyOf(poolOf(order.body.root)) === undefined ? Promise.resolve(undefined) : tokenFor(order);
}

/** The end of a preview concerns its pull request; any other end concerns its lane. */
async function end(context: WorkerContext, ending: Ending, attempt: NumberedAttempt): Promise<Ended> {
  const isOfPreview = isPreview(ending.record);
  if (ending.isTold !== true) return (isOfPreview ? endPreview : endDeployment)(context, ending, attempt);
  await (isOfPreview ? finishPreview : finishDeployment)(context, ending);
  return { isStored: true };
}

/** After their ends are stored: other lanes wait for them, and pull requests look there whether their root is deployed. */
async function notifyOfEnds(context: WorkerContext, ended: readonly DeploymentRecord[]): Promise<void> {
  await Promise.all(ended.map(({ repository, deployment }) => notifyDependents(context, repository, deployment)));
  const deployed = ended.filter((record) => !isPreview(record));
  await Promise.all(deployed.map(({ repository, deployment }) => notifyWaves(context, repository, deployment)));
  await Promise.all(deployed.map((record) => requestRevertOf(context, record)));
  const [merged] = deployed;
  if (merged === undefined) return;
  await notifyPullRequestsOfDeployment(context, merged.repository, merged.deployment.root.name);
}

/** An apply whose outcome is unknown may still be at work. */
async function requestRevertOf(context: WorkerContext, { repository, deployment }: DeploymentRecord): Promise<void> {
  const { id: deploymentId, root, progress } = deployment;
  if (progress.status !== 'apply-failed') return;
  await requestRevert(context, { repository, rootName: root.name, deploymentId });
}

function isPreview({ deployment }: DeploymentRecord): boolean {
  return deployment.trigger === 'preview';
}

/** Empty for an activity of no workflow. */
function workflowIdOf(): string {
  return Context.current().info.workflowExecution?.workflowId ?? '';
}

function attemptOf(): NumberedAttempt {
  const { info, cancellationSignal } = Context.current();
  return { startToCloseMs: info.startToCloseTimeoutMs, signal: cancellationSignal, number: info.attempt };
}
