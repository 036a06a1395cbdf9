import { failureOf } from '../failure/failure.ts';
import type { Job } from './job.ts';
import { createJob, type JobLimits } from './create-job.ts';
import type { JobOptions } from './job-options.ts';
import { locateRoot } from './root-dir.ts';
import type { StepResult } from './step-result.ts';

export type BeforePlan =
  | { readonly kind: 'ready'; readonly job: Job }
  | { readonly kind: 'ended'; readonly result: Exclude<StepResult, { kind: 'succeeded' }> };

/** Runs the steps of a root that come before its plan: they make its backend known. For commands on its state. */
export async function runBeforePlan(options: JobOptions, limits: JobLimits): Promise<BeforePlan> {
  const { treeDir, root } = options;
  const located = await locateRoot(treeDir, root.dir);
  if (located.kind === 'not-found') return failed(located.why);
  const job = await createJob(options, located.rootDir, limits);
  const planAt = root.steps.plan.findIndex(({ kind }) => kind === 'plan');
  for (const [index, step] of root.steps.plan.slice(0, planAt === -1 ? undefined : planAt).entries()) {
    if (step.kind === 'apply') return failed('expected no apply before the plan of this root, found one');
    const result = await job.run(step, `${index + 1}-${step.kind}`);
    if (result.kind !== 'succeeded') return { kind: 'ended', result };
  }
  return { kind: 'ready', job };
}

function failed(sentence: string): BeforePlan {
  return { kind: 'ended', result: { kind: 'failed', failure: failureOf(sentence) } };
}
