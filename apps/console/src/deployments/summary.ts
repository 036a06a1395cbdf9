/** A deployment as lists show it: from its lane while it waits or runs, from its record once it has ended. Pure. */
import type { DeploymentSummary, PlanCounts } from '@nereid/api';
import { fullName, type Deployment, type EndedDeployment, type Plan, type Repository } from '@nereid/contracts';
import { STATUS_LOOK } from './status.ts';

type Named = Pick<Repository, 'owner' | 'name'>;

/** `endedAt` is present once its record is stored. */
export function summaryOf(repository: Named, deployment: Deployment, endedAt?: string): DeploymentSummary {
  const { id, root, revision, trigger, rerun, requestedBy, pullRequest, receivedAt, progress } = deployment;
  const { status, times, plan, review } = progress;
  return {
    id,
    repository: fullName(repository),
    rootName: root.name,
    revision: revisionOf(revision),
    trigger,
    rerun,
    requestedBy,
    ...(pullRequest !== undefined && { pullRequest }),
    status,
    ...STATUS_LOOK[status],
    ...(plan !== undefined && { plan: planCountsOf(plan) }),
    ...(review !== undefined && { reviewedBy: review.by }),
    receivedAt,
    times,
    ...(endedAt !== undefined && { endedAt }),
  };
}

export function summaryOfEnded(ended: EndedDeployment): DeploymentSummary {
  const { id, repository, rootName, revision, trigger, rerun, requestedBy, pullRequest } = ended;
  const { status, reviewedBy, receivedAt, times, endedAt } = ended;
  return {
    id,
    repository: fullName(repository),
    rootName,
    revision: revisionOf(revision),
    trigger,
    rerun,
    requestedBy,
    ...(pullRequest !== undefined && { pullRequest }),
    status,
    ...STATUS_LOOK[status],
    ...(reviewedBy !== undefined && { reviewedBy }),
    receivedAt,
    times,
    endedAt,
  };
}

function revisionOf({ sha, branch, title, author }: Deployment['revision']): DeploymentSummary['revision'] {
  return { sha, branch, title, author };
}

function planCountsOf({ digest, hasChanges, summary }: Plan): PlanCounts {
  const { create, update, replace, delete: destroy, import: adopt, move, forget } = summary;
  return { digest, hasChanges, create, update, replace, delete: destroy, import: adopt, move, forget };
}
