/** Applies exactly the approved plan, on the host that made it or on a host that restores the kept plan. */
import { ApplicationFailure } from '@temporalio/common';
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { ApplyNotBegunError, applyRoot, type ApplyOptions } from '@nereid/terraform';
import { beginApply, BegunElsewhereError, endApply, findBegun } from '../outcome/begin-apply.ts';
import { intoLog, openLog } from '../job/log.ts';
import { assertNothingRuns, stopLeftOvers } from '../clean-up/left-over.ts';
import { planDifference } from '../plan/plan-difference.ts';
import { signedOutcome } from '../outcome/signed-outcome.ts';
import { identityTokenFor, appliesAsAnother } from '../job/identity/given-identity.ts';
import { closeIdentity } from '../job/identity/job-identity.ts';
import { RootSecretError } from '../job/identity/root-secrets.ts';
import { forgetHome, prepareJob, type PreparedJob } from '../job/prepared-job.ts';
import { restorePlan, type PlanUnusable } from '../plan/restore-plan.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';
import { describeWorkspace, plannerOf, workspaceOf } from '../job/workspace.ts';
import type { OpenedApply } from '../../platform/tokens/opened-job.ts';

/** At most once for each deployment, whoever asks. */
export async function applyOnHost(tools: HostTools, job: OpenedApply, steps: Steps): Promise<ApplyOutcome> {
  const begun = await findBegun(tools, job).catch(decline);
  if (begun !== undefined) return begun;
  const outcome = await applyHere(tools, job, steps);
  await endApply(tools, job, outcome);
  return outcome;
}

async function applyHere(tools: HostTools, job: OpenedApply, steps: Steps): Promise<ApplyOutcome> {
  if (job.go.body.isEmpty) return applyNothing(tools, job);
  const prepared = await prepare(tools, job, steps).catch(async (error: unknown) => {
    await closeIdentity(tools, job);
    return error instanceof RootSecretError ? error : decline(error);
  });
  if (prepared instanceof RootSecretError) return failWithout(tools, job, prepared);
  if (prepared.kind === 'plan-unusable') {
    await closeIdentity(tools, job);
    return prepared;
  }
  const log = openLog(tools, job, prepared.secrets);
  try {
    const outcome = await applyRoot({
      ...prepared.options,
      ...prepared.plan,
      digest: job.go.body.digest,
      ...intoLog(log, job),
      onBegin: () => beginApply(tools, job),
      onStep: (step) => steps.at(step),
      signal: steps.signal,
    });
    await closeIdentity(tools, job);
    return await signedOutcome(tools.context, job, outcome);
  } catch (error) {
    // After any other error, nobody knows whether a command still runs, which reads its token again.
    if (!(error instanceof ApplyNotBegunError)) throw error;
    await closeIdentity(tools, job);
    if (error.cause instanceof BegunElsewhereError) return error.cause.outcome;
    await endApply(tools, job, { kind: 'not-begun' });
    decline(error);
  } finally {
    await log.end();
  }
}

/** The plan has no changes, so nobody confirmed it, and its code is not to run with the identity of the apply. */
async function applyNothing(tools: HostTools, job: OpenedApply): Promise<ApplyOutcome> {
  const counts = { added: 0, changed: 0, destroyed: 0, imported: 0 };
  return endWithoutTerraform(tools, job, NOTHING_TO_APPLY, { kind: 'applied', counts });
}

/** Another host would probably lack it as well, and a person has to know. */
async function failWithout(tools: HostTools, job: OpenedApply, { message }: RootSecretError): Promise<ApplyOutcome> {
  const failure = { summary: 'Nothing was applied: a secret of this root is missing', lines: [message] };
  return endWithoutTerraform(tools, job, `Nothing was applied: ${message}\n`, { kind: 'failed', failure });
}

async function endWithoutTerraform(
  tools: HostTools,
  job: OpenedApply,
  text: string,
  end: Parameters<typeof signedOutcome>[2],
): Promise<ApplyOutcome> {
  const log = openLog(tools, job, []);
  try {
    await beginApply(tools, job);
    await log.write(Buffer.from(text));
    return await signedOutcome(tools.context, job, end);
  } catch (error) {
    if (error instanceof BegunElsewhereError) return error.outcome;
    return decline(error);
  } finally {
    await log.end();
  }
}

const NOTHING_TO_APPLY =
  'Nothing to apply: the plan has no changes, and the apply of this root has an identity of its own.\n';

/** For failures before the first step has begun: nothing was applied, so another host may apply. */
function decline(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw ApplicationFailure.create({
    message: why,
    type: 'HOST_DECLINED',
    ...(error instanceof Error && { cause: error }),
  });
}

type Prepared =
  | ({ readonly kind: 'ready'; readonly plan: Pick<ApplyOptions, 'envValues' | 'initFirst'> } & PreparedJob)
  | PlanUnusable;

async function prepare(tools: HostTools, job: OpenedApply, steps: Steps): Promise<Prepared> {
  await vacate(tools, job);
  const identityToken = await identityTokenFor(tools, job, steps.signal);
  const atHand = tools.memory.get(job.deploymentId);
  // Code of the plan may have left something for an apply that can do more.
  const startsAnew = appliesAsAnother(tools, job);
  // Another host may have made the approved plan, after this host's plan could not be used.
  const isAtHand = !startsAnew && atHand?.digest === job.go.body.digest;
  const plan = isAtHand ? ({ kind: 'at hand', ...atHand } as const) : await restorePlan(tools, job, steps);
  if (plan.kind === 'plan-unusable') return plan;

  const workspace = workspaceOf(tools, job, plan.treeDir);
  if (startsAnew) await forgetHome(workspace);
  const prepared = await prepareJob(tools, job, workspace, identityToken);
  const here = await describeWorkspace(workspace, job, prepared.terraformVersion);
  const difference = planDifference(plan.description, here);
  if (difference !== undefined) return { kind: 'plan-unusable', why: difference };
  // Nothing has begun yet, so a request to stop can still be followed.
  steps.signal.throwIfAborted();
  const initFirst = plan.kind === 'restored' ? { restore: plan.afterInit } : undefined;
  return { kind: 'ready', ...prepared, plan: { envValues: plan.envValues, ...(initFirst && { initFirst }) } };
}

/**
 * Nothing else may be at work in the folder where the plan was made: a left-over plan is stopped. An apply of another deployment
 * that a lost worker left running there goes on, and this one is declined.
 */
async function vacate({ context }: HostTools, job: OpenedApply): Promise<void> {
  const { workDir } = context.config;
  const planner = plannerOf(job);
  const borrower = await context.mirrors.borrowerOf(planner);
  if (borrower !== undefined && borrower !== job.deploymentId) await assertNothingRuns(workDir, borrower);
  for (const id of new Set([job.deploymentId, planner])) await stopLeftOvers(workDir, id);
}
