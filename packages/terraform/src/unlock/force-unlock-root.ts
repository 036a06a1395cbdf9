import type { Failure } from '@nereid/contracts';
import { failureOf } from '../job/failure.ts';
import { createJob } from '../job/job.ts';
import type { JobOptions } from '../job/job-options.ts';
import { locateRoot } from '../job/root-dir.ts';
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
  const { treeDir, root, lockId, timeoutMs } = options;
  const located = await locateRoot(treeDir, root.dir);
  if (located.kind === 'not-found') return { kind: 'failed', failure: failureOf(located.why) };
  const job = await createJob(options, located.rootDir, { timeoutMs, planAccess: 'read' });
  const planAt = root.steps.plan.findIndex(({ kind }) => kind === 'plan');
  for (const [index, step] of root.steps.plan.slice(0, planAt === -1 ? undefined : planAt).entries()) {
    if (step.kind === 'apply')
      return { kind: 'failed', failure: failureOf('expected no apply before the plan of this root, found one') };
    const result = await job.run(step, `${index + 1}-${step.kind}`);
    if (result.kind !== 'succeeded') return ended(result);
  }
  const result = await job.forceUnlock(lockId);
  return result.kind === 'succeeded' ? { kind: 'freed' } : ended(result);
}

function ended({ kind, failure }: Exclude<StepResult, { kind: 'succeeded' }>): ForceUnlockResult {
  return { kind: kind === 'stopped' ? 'stopped' : 'failed', failure };
}
