/**
 * Planning: a host is claimed, prepares, plans and keeps the plan. A host that fails is replaced by another one, after a pause
 * that doubles (`patience.ts`); the limits are in `durations.ts`. A preview that was interrupted for a deployment is planned again.
 * What Terraform says is final: a failed plan is not repeated.
 */
import { CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';
import { defined } from '@nereid/domain/defined';
import type { PlanOutcome } from '@nereid/domain/deployment';
import type { Plan } from '@nereid/domain/plan';
import { needsReview, objectingPolicies } from '@nereid/domain/gates';
import { timestamp } from '../timestamp.ts';
import { causeOf, isForged, isHostLost, isRetryable, planningOn, refuseForged, wasSlotNeeded } from './activities.ts';
import { claimHost } from './claim.ts';
import { HOSTS_TRIED } from './durations.ts';
import { createPatience } from './patience.ts';
import { advance, endOfApply, failed } from './progress.ts';
import { advanceTo, closeJob, hostJob, isPreview, delegateCleanUp, note, openJob, showState, type Run } from './run.ts';

export type Planned = { readonly kind: 'planned'; readonly plan: Plan } | { readonly kind: 'ended' };

export async function plan(run: Run): Promise<Planned> {
  const patience = createPatience(run);
  for (let [lost, refused] = [0, 0]; ;) {
    try {
      return await recordOutcome(run, await planOnce(run));
    } catch (error) {
      if (isCancellation(error)) throw error;
      if (isPreview(run) && wasSlotNeeded(error)) {
        // Nothing is wrong, so it has no pause and no limit but the time within which a preview is planned at all.
        note(run, { ...run.progress, reason: `Planning begins again: ${causeOf(error)}` });
        continue;
      }
      // It may be the host that does not know a key, or whose key nobody knows.
      const isRefused = isForged(error);
      if (!isRetryable(error) && !isRefused) return end(run, 'plan-failed', causeOf(error));
      if (isRefused) refused += 1;
      if (refused === HOSTS_TRIED) return end(run, 'plan-failed', causeOf(error));
      if (isHostLost(error)) lost += 1;
      if (lost === HOSTS_TRIED) return end(run, 'host-lost', `${lost} hosts were lost: ${causeOf(error)}`);
      const goesOn = await patience.pause(`Planning is tried again: ${causeOf(error)}`);
      if (!goesOn) return end(run, 'plan-failed', `It could not be planned: ${causeOf(error)}`);
    }
  }
}

async function planOnce(run: Run): Promise<PlanOutcome> {
  const hostId = await claimHost(run, isPreview(run) ? 'preview' : 'plan');
  const job = openJob(run, 'plan');
  advanceTo(run, advance(run.progress, 'planning', timestamp(), { hostId, jobs: { plan: job } }));
  showState(run);
  run.keepsPlan = true;
  const outcome = await planningOn(hostId, run.durations).planOnHost(hostJob(run, job));
  if (outcome.kind === 'failed' || isPreview(run)) delegateCleanUp(run, hostId);
  // A stopped plan says that it failed; only the workflow knows that it was cancelled.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled while it was planned');
  note(run, { ...run.progress, jobs: { plan: closeJob(job) } });
  return outcome;
}

async function recordOutcome(run: Run, outcome: PlanOutcome): Promise<Planned> {
  if (outcome.kind === 'failed') {
    advanceTo(run, advance(run.progress, 'plan-failed', timestamp(), { failure: outcome.failure }));
    return { kind: 'ended' };
  }
  if (outcome.kind === 'apply-begun') {
    // Only a workflow from a backup does not know of it. The plan of then had changes, or hardly anybody would have asked.
    const { status, more } = endOfApply(outcome.outcome, { hasChanges: true });
    advanceTo(run, advance(run.progress, status, timestamp(), more));
    return { kind: 'ended' };
  }
  const { digest, hasChanges, summary, textDigest, policies, warnings, stateVersion, newWorkspace, signature } =
    outcome;
  const reviewRequired =
    !isPreview(run) && needsReview(outcome, run.input.deployment.root.planReview, run.input.reviewRequired);
  const plan: Plan = {
    ...{ digest, hasChanges, reviewRequired, summary },
    ...defined({ textDigest }),
    ...(policies && { policies }),
    ...(warnings && { warnings }),
    ...defined({ stateVersion }),
    ...(newWorkspace && { newWorkspace }),
    ...defined({ signature }),
  };
  if (reviewRequired || (!isPreview(run) && objectingPolicies(plan).length > 0))
    await refuseForged(run.input.deployment, plan);
  note(run, { ...run.progress, plan });
  return { kind: 'planned', plan };
}

function end(run: Run, status: 'plan-failed' | 'host-lost', reason: string): Planned {
  advanceTo(run, advance(run.progress, status, timestamp(), { reason, failure: failed(reason) }));
  return { kind: 'ended' };
}
