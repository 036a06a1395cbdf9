/** The last deployment of a lane that took effect. Pure. */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { leftStateOf } from '../../../plan/other-state.ts';
import type { Latest } from '../../record.ts';
import { isOfBranch } from './undeployed.ts';

/**
 * The one that began later of two deployments; at the same time, the second. After Temporal was restored from a backup, a
 * deployment may end after others that began later. A manual one that is no re-run keeps the merge before it.
 */
export function laterOf(one: Latest | undefined, other: Latest | undefined): Latest | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const [earlier, last] = one.at > other.at ? [other, one] : [one, other];
  // An apply that failed may not know whether it made a state.
  const later = last.state === undefined && earlier.state ? { ...last, state: earlier.state } : last;
  if (isOfBranch(later) || later.mergeBefore !== undefined) return later;
  const mergeBefore = isOfBranch(earlier) ? earlier.revision : earlier.mergeBefore;
  const { branchPosition } = earlier;
  return {
    ...later,
    ...defined({ mergeBefore, branchPosition }),
  };
}

/** The latest deployment after one that took effect; `at` is its end. */
export function latestOf(deployment: Deployment, at: string): Latest {
  const { status, times, plan } = deployment.progress;
  const state = plan && leftStateOf(plan.made.body, status === 'succeeded');
  return {
    deploymentId: deployment.id,
    revision: deployment.revision.sha,
    trigger: deployment.trigger,
    status,
    at: times.applying ?? times[status] ?? at,
    ...(deployment.rerun && { rerun: true }),
    ...(isOfBranch(deployment) && { branchPosition: deployment.revision.position }),
    ...defined({ state }),
  };
}
