import type { Failure } from '@nereid/contracts';
import { runBeforePlan } from '../job/before-plan.ts';
import type { JobOptions } from '../job/job-options.ts';
import type { StepResult } from '../job/step-result.ts';

export interface ForceUnlockOptions extends JobOptions {
  /** Of the form `isLockId`. */
  readonly lockId: string;
  /** For all steps together. */
  readonly timeoutMs: number;
}

export type ForceUnlockResult =
  | { readonly kind: 'freed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It was asked to stop. The lock may be free already. */
  | { readonly kind: 'stopped'; readonly failure: Failure };

/**
 * Frees a lock of the state of a root, which a run left behind. The steps before its plan come first: they make the backend
 * known. Throws only failures of the host, as `planRoot` does.
 */
export async function forceUnlockRoot(options: ForceUnlockOptions): Promise<ForceUnlockResult> {
  const { lockId, timeoutMs } = options;
  const before = await runBeforePlan(options, { timeoutMs, planAccess: 'read' });
  if (before.kind === 'ended') return ended(before.result);
  const result = await before.job.forceUnlock(lockId);
  return result.kind === 'succeeded' ? { kind: 'freed' } : ended(result);
}

function ended({ kind, failure }: Exclude<StepResult, { kind: 'succeeded' }>): ForceUnlockResult {
  return { kind: kind === 'stopped' ? 'stopped' : 'failed', failure };
}
