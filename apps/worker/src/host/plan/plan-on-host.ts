/** Prepare, plan, keep the plan. Nothing is planned once an apply of the deployment has begun. */
import { ApplicationFailure } from '@temporalio/common';
import { defined } from '@nereid/domain/defined';
import type { PlanOutcome, PreviewParents } from '@nereid/domain/deployment';
import type { Failure, HostFailure } from '@nereid/domain/host';
import type { MadePlan, PolicyResult } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import type { Authorization, FilledFile } from '@nereid/git';
import { planTextDigest, type LogWriter } from '@nereid/storage';
import {
  dataDirOf,
  digestOfChanges,
  listStateOfRoot,
  planRoot,
  type JobOptions,
  type MadePlanFile,
  type PlanResult,
  type StepName,
} from '@nereid/terraform';
import { findBegun } from '../outcome/begin-apply.ts';
import { signedFailure } from '../outcome/signed-outcome.ts';
import { stopLeftOvers } from '../clean-up/left-over.ts';
import { judgePlan } from './judge-plan.ts';
import { keepPlan } from './keep-plan.ts';
import { withLockFileHint } from './lock-file-hint.ts';
import { withModulesHint } from './modules-hint.ts';
import { intoLog, openLog } from '../job/log.ts';
import { requireInputs } from '../job/require-inputs.ts';
import { identityTokenFor, appliesAsAnother } from '../job/identity/given-identity.ts';
import { closeIdentity } from '../job/identity/job-identity.ts';
import { checkOutForJob } from '../job/check-out.ts';
import { authorizationFor, prepareJob, type PreparedJob } from '../job/prepared-job.ts';
import { endedEarly, wasSlotNeeded, withSlotNeeded } from '../job/ended-early.ts';
import { retryBriefly } from '../job/retry-briefly.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';
import { describeWorkspace, makeJobFolder, workspaceOf, type Workspace } from '../job/workspace.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

export async function planOnHost(tools: HostTools, job: OpenedJob, steps: Steps): Promise<PlanOutcome> {
  try {
    return await plan(tools, job, steps);
  } catch (error) {
    throw withSlotNeeded(error, steps.signal);
  }
}

async function plan(tools: HostTools, job: OpenedJob, steps: Steps): Promise<PlanOutcome> {
  const { deploymentId } = job;
  const { signal } = steps;
  const { preview } = job;
  const begun = preview ? undefined : await findBegun(tools, job);
  if (begun !== undefined) return { kind: 'apply-begun', outcome: begun };
  await stopLeftOvers(tools.context.config.workDir, deploymentId);
  // The checkout replaces the tree of an earlier plan.
  tools.memory.delete(deploymentId);
  steps.at('fetching the revision');
  const authorization = await authorizationFor(tools, job, signal);
  const identityToken = await identityTokenFor(tools, job, signal);
  if (preview) await mergeOnHost(tools, job, preview, { authorization, signal });
  const treeDir = await checkOutForJob(tools, job, { signal, authorization });
  // Nothing is read of a root that is gone.
  const filled = preview?.isRemoval ? [] : await requireInputs(tools, job, { treeDir, authorization, signal });
  const workspace = workspaceOf(tools, job, treeDir);
  await makeJobFolder(workspace);
  const prepared = await prepareJob(tools, job, workspace, identityToken);
  try {
    return await planPrepared(tools, job, { ...prepared, workspace, filled, steps });
  } finally {
    await closeIdentity(tools, job);
  }
}

interface Ready extends PreparedJob {
  readonly workspace: Workspace;
  readonly filled: readonly FilledFile[];
  readonly steps: Steps;
}

async function planPrepared(tools: HostTools, job: OpenedJob, ready: Ready): Promise<PlanOutcome> {
  const { options, secrets, terraformVersion, workspace, filled, steps } = ready;
  const { deploymentId, preview } = job;
  const { treeDir } = workspace;
  const { signal } = steps;
  const plannedAt = new Date().toISOString();
  const isAnother = appliesAsAnother(tools, job);
  const log = openLog(tools, job, secrets);
  const keep = async ({ digest, envValues }: MadePlanFile) => {
    const description = await describeWorkspace(workspace, job, terraformVersion);
    const plan = { digest, treeDir, envValues, description };
    const dataDir = dataDirOf(description.path, { ...options.env, ...envValues });
    const own = { ...plan, dataDir, filled, appliesAsAnother: isAnother };
    return { plan, unmovable: await keepPlan(tools, deploymentId, workspace, own) };
  };
  let keeping: ReturnType<typeof keep> | undefined;
  const onPlanMade = (made: MadePlanFile) => {
    keeping = keep(made);
    // It is awaited below, once the plan was shown.
    keeping.catch(() => undefined);
  };
  try {
    const running = { ...intoLog(log, job), onStep: (step: StepName) => steps.at(step), signal };
    const missingWorkspace = preview ? 'pretend' : 'make';
    if (preview?.isRemoval) return await listRemoved(tools, job, { ...options, ...running, missingWorkspace });
    let policies: readonly PolicyResult[] = [];
    let changes: string | undefined;
    const onPlanJson = async (planJson: string) => {
      if (job.root.carryReview) changes = await changesIn(tools, planJson);
      policies = await judgePlan(tools, job, { planJson, log, steps });
    };
    const own = { locksState: preview === undefined, missingWorkspace, onPlanJson } as const;
    // What is shown of a preview tells whether it is kept.
    const result = await planRoot({ ...options, ...running, ...own, ...(!preview && { onPlanMade }) });
    if (result.kind !== 'planned') return { kind: 'failed', failure: await failureOf(tools, job, result) };

    const { hasChanges, digest, summary, types, warnings, doubt, stateVersion, newWorkspace, texts } = result;
    const isForMerge = preview?.forMerge !== undefined && hasChanges && !newWorkspace;
    if (!preview || isForMerge) {
      steps.at('keeping the plan');
      const { plan, unmovable } = await (keeping ?? keep(result));
      if (unmovable !== undefined && isAnother)
        return { kind: 'failed', failure: await signedFailure(tools.context, job, cannotMove(unmovable)) };
      // The tree of a preview goes at once: its apply is on another order, and may be on another host.
      if (!preview) tools.memory.set(deploymentId, plan);
    }
    const kept = texts && (await keepTexts(tools, job, texts));
    const made = {
      hasChanges,
      digest,
      summary,
      plannedAt,
      ...(job.root.autoWhen && defined({ types })),
      ...defined({ changes }),
      ...kept,
      ...(policies.length > 0 && { policies }),
      ...(warnings && { warnings }),
      ...defined({ doubt, stateVersion }),
      ...(newWorkspace && { newWorkspace }),
    };
    return await signedPlan(tools, job, made);
  } finally {
    await keeping?.catch(() => undefined);
    await sayInterrupted(log, signal);
    await log.end();
  }
}

function changesIn({ context }: HostTools, planJson: string): Promise<string | undefined> {
  return digestOfChanges(planJson, context.server.current().terraform.volatileAttributes);
}

/** Its apply starts from a new check-out, so it would never be applied. */
function cannotMove(why: string): Failure {
  const summary = `the apply of this root has an identity of its own, and this plan cannot move to its new check-out: ${why}`;
  return { summary: summary.slice(0, SUMMARY_LIMIT), lines: [] };
}

/** Of a failure. */
const SUMMARY_LIMIT = 200;

/** Nothing is planned where the root is gone. Nobody is going to look after what its state holds. */
async function listRemoved(tools: HostTools, job: OpenedJob, options: JobOptions): Promise<PlanOutcome> {
  const listed = await listStateOfRoot(options);
  if (listed.kind !== 'listed') return { kind: 'failed', failure: await failureOf(tools, job, listed) };
  const { digest, summary } = listed;
  const made = { hasChanges: summary.forget > 0, digest, summary };
  return signedPlan(tools, job, made);
}

async function signedPlan(
  { context }: HostTools,
  { deploymentId, order }: OpenedJob,
  made: Omit<MadePlan, 'version' | 'deploymentId' | 'order'>,
): Promise<PlanOutcome> {
  const body = { version: 1, deploymentId, order: order.signature, ...made } as const;
  return { kind: 'planned', plan: await context.signatures.enclose('result/plan', body) };
}

/** Makes the commit of a preview on this host. It is the ordered one, because the same two commits give the same everywhere. */
async function mergeOnHost(
  { context }: HostTools,
  { repository, revision }: OpenedJob,
  { baseSha, headSha, group, isRemoval, reverts }: PreviewParents,
  { authorization, signal }: { readonly authorization: Authorization; readonly signal: AbortSignal },
): Promise<void> {
  if ((isRemoval || reverts) && baseSha === revision.sha) return;
  // GitHub has made the commit of a group.
  if (group !== undefined && headSha === revision.sha) return;
  const merged = await context.mirrors.merge(repository, { base: baseSha, head: headSha, authorization }, signal);
  const found = merged.kind === 'merged' ? merged.sha : merged.kind;
  if (found === revision.sha) return;
  throw ApplicationFailure.nonRetryable(
    `expected the merge of ${headSha} into ${baseSha} to be ${revision.sha}, found ${found}; do all workers have the same git?`,
    'OTHER_MERGE',
  );
}

/** Returns the digests of the texts. Without the texts, pages and check runs say that they cannot be read, and the plan is good. */
async function keepTexts(
  { context }: HostTools,
  { deploymentId, jobId }: OpenedJob,
  { text, whole }: NonNullable<Planned['texts']>,
): Promise<Pick<MadePlan, 'textDigest' | 'wholeTextDigest'>> {
  const { planTexts, wholePlanTexts } = context.jobLogs;
  try {
    await retryBriefly(() => planTexts.write(jobId, text));
    if (whole) await retryBriefly(() => wholePlanTexts.write(jobId, whole));
  } catch (error) {
    const fields = { err: error, deployment: deploymentId, job: jobId };
    context.logger.error(fields, 'the text of a plan could not be stored, so its check run does not show it');
  }
  return { textDigest: planTextDigest(text), ...(whole && { wholeTextDigest: planTextDigest(whole) }) };
}

type Planned = Extract<PlanResult, { kind: 'planned' }>;

/** A reader of the log of a plan that was interrupted for a deployment reads why. A plan that was made all the same is good. */
async function sayInterrupted(log: LogWriter, signal: AbortSignal): Promise<void> {
  if (!wasSlotNeeded(signal)) return;
  await log.write(
    Buffer.from('\nInterrupted: a deployment needed this slot. A plan that was not made yet is made again.\n'),
  );
}

/** A plan that the host ended early is made again; one stopped by its limit has failed. */
async function failureOf(
  { context }: HostTools,
  job: OpenedJob,
  result: Exclude<PlanResult, { kind: 'planned' }>,
): Promise<Signed<HostFailure>> {
  const early = result.kind === 'stopped' ? endedEarly(result.cause) : undefined;
  if (early !== undefined) throw early;
  const failure = withLockFileHint(result.failure, job.root.distribution);
  return signedFailure(context, job, withModulesHint(failure, context.config.github.url));
}
