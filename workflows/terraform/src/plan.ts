/** Planning: a host is claimed, prepares, plans and keeps the plan. A host that fails is replaced by another one. */
import { CancellationScope, CancelledFailure, isCancellation, sleep } from '@temporalio/workflow';
import type { Plan, PlanOutcome } from '@nereid/contracts';
import { causeOf, isRetryable, planningOn } from './activities.ts';
import { claimHost } from './claim.ts';
import { HOSTS_TRIED } from './durations.ts';
import { advance, failed, needsReview } from './progress.ts';
import { closeJob, hostJob, leaveToHost, openJob, timestamp, type Run } from './run.ts';

export type Planned = { readonly kind: 'planned'; readonly plan: Plan } | { readonly kind: 'ended' };

/** Between hosts: long enough for a fault that all of them share to pass. */
const PAUSE_MS = 1_000;

export async function plan(run: Run): Promise<Planned> {
  for (let tried = 1; ; tried += 1) {
    try {
      return take(run, await planOnce(run));
    } catch (error) {
      if (isCancellation(error)) throw error;
      if (!isRetryable(error)) return end(run, 'plan-failed', causeOf(error));
      if (tried === HOSTS_TRIED)
        return end(run, 'host-lost', `${HOSTS_TRIED} hosts failed, the last one: ${causeOf(error)}`);
      await sleep(PAUSE_MS * tried);
    }
  }
}

async function planOnce(run: Run): Promise<PlanOutcome> {
  const hostId = await claimHost(run);
  const job = openJob();
  run.progress = advance(run.progress, 'planning', timestamp(), { hostId, jobs: { plan: job } });
  run.keepsPlan = true;
  const outcome = await planningOn(hostId, run.durations).planOnHost(hostJob(run, job));
  if (outcome.kind === 'failed') leaveToHost(run, hostId);
  // A plan that was stopped answers that it failed; why it was stopped is known here.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled while it was planned');
  run.progress = { ...run.progress, jobs: { plan: closeJob(job) } };
  return outcome;
}

function take(run: Run, outcome: PlanOutcome): Planned {
  if (outcome.kind === 'failed') {
    run.progress = advance(run.progress, 'plan-failed', timestamp(), { failure: outcome.failure });
    return { kind: 'ended' };
  }
  const { digest, hasChanges, summary } = outcome;
  const reviewRequired = needsReview(outcome, run.input.root.planReview, run.input.reviewRequired);
  const plan: Plan = { digest, hasChanges, reviewRequired, summary };
  run.progress = { ...run.progress, plan };
  return { kind: 'planned', plan };
}

function end(run: Run, status: 'plan-failed' | 'host-lost', reason: string): Planned {
  run.progress = advance(run.progress, status, timestamp(), { reason, failure: failed(reason) });
  return { kind: 'ended' };
}
