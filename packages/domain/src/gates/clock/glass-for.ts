import type { BreakGlass } from '../../plan/break-glass.ts';

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
