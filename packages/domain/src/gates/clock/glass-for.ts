import type { Progress } from '../../deployment/progress.ts';
import type { WaitReason } from '../../deployment/wait-reason.ts';
import type { BreakGlass } from '../../plan/break-glass.ts';

/** The gates that know of such a word. */
const PASSED: readonly WaitReason[] = ['stop', 'window'];

/** Whether a person may let a deployment pass: it says that it waits at one of the gates that know of such a word. */
export function canBreakGlass({ waitsFor }: Pick<Progress, 'waitsFor'>): boolean {
  return typeof waitsFor === 'object' && PASSED.includes(waitsFor.gate);
}

/**
 * The one that lets a deployment pass: before its plan any, before its apply one of this very plan. `now` is in epoch milliseconds.
 */
export function glassFor(
  broken: readonly BreakGlass[],
  { deploymentId, digest }: Pick<BreakGlass, 'deploymentId' | 'digest'>,
  now: number,
): BreakGlass | undefined {
  return broken.findLast((one) => {
    const isOfPlan = digest === undefined || one.digest === digest;
    return one.deploymentId === deploymentId && isOfPlan && Date.parse(one.until) > now;
  });
}
