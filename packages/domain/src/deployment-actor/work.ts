/** Which effects are the work of a step, and which of these a cancellation stops. */
import type { DeploymentActor } from './actor.ts';
import type { Effect } from './effects.ts';

/**
 * Permission and its proof go on: a start that was stored, and of which the deployment does not know, would never get its end. So
 * does the end.
 */
const WORK = {
  'find-reviewed': 'stops',
  claim: 'stops',
  plan: 'stops',
  'verify-plan': 'stops',
  'carry-review': 'stops',
  begin: 'goes on',
  'verify-approval': 'goes on',
  'find-host': 'stops',
  apply: 'stops',
  inspect: 'stops',
  end: 'goes on',
  'record-end': 'goes on',
} as const satisfies Partial<Record<Effect['kind'], 'stops' | 'goes on'>>;

export function isWork(kind: Effect['kind']): kind is keyof typeof WORK {
  return kind in WORK;
}

/** Whether what is under way is to be stopped, and was not asked to. */
export function isToStop({ isCancelled, work, step }: DeploymentActor): boolean {
  if (work === undefined || work.isStopped) return false;
  // The write of the question has proven the plan meanwhile, and what comes next waits for nothing.
  if (work.kind === 'verify-plan' && step.kind !== 'verify-plan') return true;
  if (!isCancelled) return false;
  if (step.kind === 'inspect' && step.isKept) return false;
  return isWork(work.kind) && WORK[work.kind] === 'stops';
}
