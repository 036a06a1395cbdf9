/** How the progress of a deployment moves on: pure. */
import type { ApplyOutcome, EndedApply } from '../deployment/job/apply-outcome.ts';
import type { Progress } from '../deployment/progress.ts';
import type { DeploymentStatus, EndedStatus } from '../deployment/status.ts';
import type { SaidFailure } from '../host/failure.ts';
import type { MadePlan } from '../plan/model.ts';
import { withoutMentions } from '../deployment/rules/without-mentions.ts';

export function newProgress(at: string): Progress {
  return { status: 'preparing', times: { preparing: at }, jobs: {} };
}

/** Returns the progress with a new status, without the reason and the wait of the previous status. */
export function advance(
  progress: Progress,
  status: DeploymentStatus,
  at: string,
  more: Partial<Progress> = {},
): Progress {
  return { ...withoutReason(progress), status, times: { ...progress.times, [status]: at }, ...more };
}

export function withoutReason(progress: Progress): Progress {
  const { reason: _over, waitsFor: _overToo, ...kept } = progress;
  return kept;
}

/** Back to the beginning, without the plan that cannot be used, its answers and its overrides: they say nothing about the next plan. */
export function planAgain(progress: Progress, at: string, reason: string): Progress {
  const { plan: _unusable, review: _ofIt, approvals: _also, overrides: _too, glass: _broken, ...kept } = progress;
  return advance(kept, 'preparing', at, { reason });
}

export interface EndOfApply {
  readonly status: EndedStatus;
  readonly more: Partial<Progress>;
}

/** The end that follows from the outcome of an apply; undefined when nothing was applied and the deployment goes on. */
export function endOfApply(outcome: EndedApply, plan: Pick<MadePlan, 'hasChanges'>): EndOfApply;
export function endOfApply(outcome: ApplyOutcome, plan: Pick<MadePlan, 'hasChanges'>): EndOfApply | undefined;
export function endOfApply(outcome: ApplyOutcome, plan: Pick<MadePlan, 'hasChanges'>): EndOfApply | undefined {
  switch (outcome.kind) {
    case 'applied':
      return {
        status: plan.hasChanges ? 'succeeded' : 'no-changes',
        more: { applied: outcome.counts, ...proofOf(outcome) },
      };
    case 'failed':
      return { status: 'apply-failed', more: { failure: outcome.failure, ...proofOf(outcome) } };
    case 'unknown':
      return { status: 'apply-outcome-unknown', more: { reason: withoutMentions(outcome.why) } };
    case 'plan-unusable':
    case 'not-begun':
      return undefined;
  }
}

function proofOf({ proof }: Pick<Progress, 'proof'>): Pick<Progress, 'proof'> {
  return proof === undefined ? {} : { proof };
}

export function failed(summary: string): SaidFailure {
  return { body: { summary: summary.slice(0, 200), lines: [] } };
}
