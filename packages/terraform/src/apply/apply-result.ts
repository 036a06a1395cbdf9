import type { AppliedCounts } from '@nereid/domain/deployment';
import type { Failure } from '@nereid/domain/host';
import type { StopCause } from '@nereid/subprocess';
import type { StepResult } from '../job/step-result.ts';

export type ApplyResult =
  | { readonly kind: 'applied'; readonly counts: AppliedCounts }
  /** `stopped`: it was asked to stop and ended by itself. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly stopped?: StopCause }
  /** Nothing was applied: the state changed since the plan was made, or the plan is not the one that was approved. */
  | { readonly kind: 'plan-unusable'; readonly why: string }
  /** Terraform was killed, or left no exit code. */
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * The outcome that the end of the apply step means. Only Terraform itself knows how far it came: an apply that ended by
 * itself has written its state; an apply that was killed, or hurried by a second interrupt, may not have. Whatever it printed, it began.
 */
export function applyEnd(result: StepResult): Extract<ApplyResult, { kind: 'applied' | 'failed' | 'unknown' }> {
  switch (result.kind) {
    case 'succeeded':
      return {
        kind: 'applied',
        counts: result.output.appliedCounts() ?? { added: 0, changed: 0, destroyed: 0, imported: 0 },
      };
    case 'failed':
      return { kind: 'failed', failure: result.failure };
    case 'stopped':
      return hasEndedByItself(result)
        ? { kind: 'failed', failure: result.failure, stopped: result.cause }
        : { kind: 'unknown', why: result.failure.summary };
    case 'killed':
      return { kind: 'unknown', why: result.failure.summary };
  }
}

function hasEndedByItself({ stoppedBy, exitCode }: Extract<StepResult, { kind: 'stopped' }>): boolean {
  return stoppedBy === 'before-start' || (stoppedBy === 'sigint' && exitCode !== undefined);
}
