import type { Failure } from '@nereid/domain/host';
import { runBeforePlan } from '../job/before-plan.ts';
import { failureOf } from '../failure/failure.ts';
import type { Job } from '../job/job.ts';
import type { JobOptions } from '../job/job-options.ts';
import type { StepResult } from '../job/step-result.ts';
import { dataDirOf, readBackend } from '../state/backend.ts';

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
  const other = await otherLock(before.job, options);
  if (other !== undefined)
    return { kind: 'failed', failure: failureOf(`the lock ${lockId} is not the one that is there: that is ${other}`) };
  const result = await before.job.forceUnlock(lockId);
  return result.kind === 'succeeded' ? { kind: 'freed' } : ended(result);
}

/**
 * The lock that is there, if it is another one. Only the backend `http` is asked: it frees whatever lock there is, and all others
 * compare the id themselves. A lock that is set from now on is not protected by this.
 */
async function otherLock(job: Job, { lockId, treeDir }: ForceUnlockOptions): Promise<string | undefined> {
  const backend = await readBackend(dataDirOf(job.rootDir, job.env()), treeDir);
  if (backend?.type !== 'http') return undefined;
  const found = await job.findLock();
  const id = found.kind === 'failed' ? found.failure.stateLock?.id : undefined;
  return id === lockId ? undefined : id;
}

function ended({ kind, failure }: Exclude<StepResult, { kind: 'succeeded' }>): ForceUnlockResult {
  return { kind: kind === 'stopped' ? 'stopped' : 'failed', failure };
}
