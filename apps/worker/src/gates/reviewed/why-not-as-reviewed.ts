/** Why a plan that was reviewed before the merge is not applied: pure, one sentence for each reason, the truest first. */
import { shortSha, type Deployment, type DeploymentRecord } from '@nereid/domain/deployment';
import type { MergeReview } from '@nereid/domain/plan';
import type { Root } from '@nereid/domain/root';
import { isDeepStrictEqual } from 'node:util';
import { appliedSince, EXPIRED, isExpired, NOT_ALLOWED } from '../../lane/turn/review-outdated.ts';

/** The facts that are known when the merge has its turn. */
export interface AfterMerge {
  readonly deployment: Deployment;
  readonly reviewed: MergeReview;
  /** The preview that made the plan, as control stored it; undefined when it is gone. */
  readonly preview: Deployment | undefined;
  /** Why other files were merged than those that were planned; undefined when they are the same to this root. */
  readonly otherFiles: string | undefined;
  /** Where the lane stands; undefined while an apply is under way, or nobody knows how it ended. */
  readonly lane: string | undefined;
  /** The last deployment that had its turn in the lane. */
  readonly last: Pick<Deployment, 'revision'> | undefined;
  /** The deployments of the root that have ended, the latest first. */
  readonly ended: readonly DeploymentRecord[];
  /** Whether the server's file lets a review before the merge count. */
  readonly isAllowed: boolean;
  readonly nowMs: number;
}

/** Undefined when everything is as it was reviewed, as far as it can be said without asking the forge. */
export function whyNotAsReviewed(after: AfterMerge): string | undefined {
  const { deployment, reviewed, preview, otherFiles, isAllowed, nowMs } = after;
  const { trigger, rerun, formerly, root } = deployment;
  if (trigger !== 'merge' || rerun) return 'only a merge is applied as it was reviewed';
  if (!isAllowed) return NOT_ALLOWED;
  if (isExpired(reviewed, nowMs)) return EXPIRED;
  if (formerly !== undefined) return `this directory was deployed as ${formerly.rootName} before`;
  if (otherFiles !== undefined) return otherFiles;
  if (preview === undefined || !isPlanned(preview, reviewed)) return 'that plan is not kept any more';
  if (!isDeepStrictEqual(planned(preview.root), planned(root))) return 'the settings of this root have changed since';
  return whyLaneMoved(after, preview);
}

/** Whether it is the plan that was shown when somebody pressed the button. */
function isPlanned({ id, order, progress: { status, plan } }: Deployment, reviewed: MergeReview): boolean {
  const isOfOrder = id === reviewed.previewId && order === reviewed.order;
  return isOfOrder && status === 'planned' && plan?.made.body.digest === reviewed.digest;
}

/** What a plan depends on, besides the files. */
function planned({ dir, realDir, workspace, distribution, terraformVersion, varFiles, steps, pool }: Root): object {
  return { dir, realDir, workspace, distribution, terraformVersion, varFiles, steps, pool };
}

function whyLaneMoved(
  { reviewed, deployment, lane, last, ended }: AfterMerge,
  preview: Deployment,
): string | undefined {
  if (lane === undefined || lane !== reviewed.lane) return appliedSince(last);
  if (deployment.reviewed?.ahead !== undefined) return 'another deployment of this root went first';
  const since = ended.find(
    ({ deployment: { id, progress }, endedAt }) =>
      id !== deployment.id && progress.status !== 'skipped' && endedAt > preview.receivedAt,
  );
  return since && `${shortSha(since.deployment.revision.sha)} was deployed, or was to be, since that plan was made`;
}
