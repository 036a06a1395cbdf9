import type { Failure } from '@nereid/domain/host';
import { runBeforePlan } from '../job/before-plan.ts';
import type { JobOptions } from '../job/job-options.ts';

export interface CheckOptions extends JobOptions {
  /** For a shell. From the server's file, like the steps of a workflow. */
  readonly run: string;
  /** For all steps together. */
  readonly timeoutMs: number;
}

export type CheckResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It was asked to stop, or its time was over. */
  | { readonly kind: 'stopped'; readonly failure: Failure };

/**
 * Runs a command in a root, after the steps that come before its plan: so it can read the outputs of the state. Throws only failures of
 * the host, as `planRoot` does.
 */
export async function checkRoot(options: CheckOptions): Promise<CheckResult> {
  const { run, timeoutMs } = options;
  const before = await runBeforePlan(options, { timeoutMs, planAccess: 'read' });
  const result = before.kind === 'ended' ? before.result : await before.job.run({ kind: 'run', run }, 'check');
  if (result.kind === 'succeeded') return { kind: 'passed' };
  return { kind: result.kind === 'stopped' ? 'stopped' : 'failed', failure: result.failure };
}
