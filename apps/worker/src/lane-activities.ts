/**
 * The activities of lanes and their deployments, for control workers. What happens in a lane concerns pull requests
 * and rollouts as well, so these stand above all of them.
 */
import { Context } from '@temporalio/activity';
import { defined } from '@nereid/domain/defined';
import { orderOf, type Presentation, type Shown } from '@nereid/domain/deployment';
import type { Ended, Ending, Finish, TerraformActivities } from '@nereid/domain/deployment-actor';
import type { LaneActivities, Settled, Settlement } from '@nereid/domain/lane';
import { poolOf, type Repository } from '@nereid/domain/root';
import type { WorkerContext } from './platform/context.ts';
import { withFailures } from './platform/failures/failures.ts';
import { recordRefusal, recordUnapplied } from './lane/record/record-aside.ts';
import { endPreview, finishPreview } from './pull-request/end-preview.ts';
import { findDependencies } from './rollout/find-dependencies.ts';
import { noteState } from './pull-request/stale/seen-state.ts';
import { notifyPullRequestsOfDeployment } from './pull-request/notify-pull-requests.ts';
import { notifyDependents } from './rollout/notify-dependents.ts';
import { sealKeyOf } from './platform/keys/pool-keys.ts';
import { createMint } from './platform/tokens/read-tokens.ts';
import { createSealReadToken } from './platform/tokens/seal-read-token.ts';
import { createTokenForAdmission, type TokenForAdmission } from './platform/tokens/token-for-admission.ts';
import { withHeartbeats } from './platform/temporal/with-heartbeats.ts';
import { admitDeployment } from './lane/record/admit-deployment.ts';
import { begin } from './gates/begin.ts';
import { findReviewedPlan } from './gates/reviewed/find-reviewed-plan.ts';
import { verifyPress } from './lane/verify-decisions.ts';
import { endDeployment, endInLane } from './lane/end-deployment.ts';
import { findTerraform } from './lane/find/find-terraform.ts';
import { finishDeployment } from './lane/record/finish-deployment.ts';
import { ForgedError } from '@nereid/signature';
import { findPlanner } from './host/claim/find-planner.ts';
import { createHostWatch } from './lane/hosts/host-watch.ts';
import { readLane } from './lane/record/lane-record.ts';
import { settleLane } from './lane/record/settle-lane.ts';
import { showCheckRun, showCheckRuns, within, type Attempt } from './lane/show/show-check-runs.ts';
import { isHeardOf } from './lane/hosts/why-no-host.ts';
import { withProvenEnding, withProvenRecord, withProvenWords } from './lane/show/proven/proven-words.ts';
import { withoutForgedPlan } from './lane/show/proven/without-forged-plan.ts';
import { onlyOrdered, refusedToShow, verifyDeployment, openPlan } from './lane/verify-orders.ts';

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
          admitDeployment(context, admission, signal),
          show && showFirst(context, repository, show, signal),
          running && tokenFor?.(orderOf(repository, running)),
        ]);
        return { ...admitted, ...defined({ shown, readToken }) };
      }),
    settleLane: (settlement) =>
      withHeartbeats(async () => {
        const { repository } = settlement.record;
        if (settlement.returned !== undefined) return settleReturned(context, settlement);
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
      withHeartbeats(() => showProven(context, repository, presentations, attemptOf())),
    showCheckRun: (repository, presentation) =>
      withHeartbeats(async () => {
        const said = await withoutForgedPlan(context, presentation);
        const { deployment } = said;
        await verifyDeployment(context, { repository, deployment }, Context.current().info.scheduledTimestampMs);
        const isInReview = deployment.progress.status === 'awaiting-review';
        const told = isInReview ? notifyDependents(context, repository, deployment) : undefined;
        const proven = await withProvenWords(context, repository, said);
        const noted = isInReview
          ? noteState(context, repository, proven.deployment, attemptOf().number > 1)
          : undefined;
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
        const ended = await endProven(context, await withProvenEnding(context, said));
        if (ended.isStored) await notifyOthers(context, ending);
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

async function showProven(
  context: WorkerContext,
  repository: Repository,
  presentations: readonly Presentation[],
  attempt: Attempt,
): Promise<readonly Shown[]> {
  const said = await Promise.all(presentations.map((one) => withoutForgedPlan(context, one)));
  const ordered = await onlyOrdered(context, repository, said);
  const proven = await Promise.all(ordered.map((one) => withProvenWords(context, repository, one)));
  const forged = said.filter((one) => !ordered.includes(one)).map(refusedToShow);
  const shown = ordered.length === 0 ? [] : await showCheckRuns(context, repository, proven, attempt);
  return [...shown, ...forged];
}

/** The forge never holds up a deployment. */
const FIRST_WITHIN_MS = 1_000;

/** Undefined when nobody knows whether it was shown. */
async function showFirst(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
  signal: AbortSignal,
): Promise<Shown | undefined> {
  try {
    const [shown] = await showProven(context, repository, [presentation], within(FIRST_WITHIN_MS, signal));
    return shown;
  } catch (error) {
    context.logger.warn(
      { err: error, deployment: presentation.deployment.id },
      'a first check run is left to the lane',
    );
    return undefined;
  }
}

/** The end that a deployment returned to its lane. */
async function settleReturned(context: WorkerContext, settlement: Settlement): Promise<Settled> {
  const [end] = settlement.ended;
  if (end === undefined) throw new Error('expected the end that was returned, found none');
  const record = await withoutForgedPlan(context, end);
  try {
    await verifyDeployment(context, record);
  } catch (error) {
    if (error instanceof ForgedError) return { kind: 'forged' };
    throw error;
  }
  const { deployment: _same, ...show } = settlement.returned?.show ?? {};
  const finish = { record, audits: settlement.audits, deletesPlan: false };
  const ending = { ...finish, ...(settlement.returned?.show && { show }) };
  const settled = await endInLane(context, await withProvenEnding(context, ending), settlement, attemptOf());
  if (settled.kind !== 'unsettled') await notifyOthers(context, finish);
  return settled;
}

async function endProven(context: WorkerContext, ending: Ending): Promise<Ended> {
  if (ending.isTold !== true) return (isPreview(ending) ? endPreview : endDeployment)(context, ending, attemptOf());
  await (isPreview(ending) ? finishPreview : finishDeployment)(context, ending);
  return { isStored: true };
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
