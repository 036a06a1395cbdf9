/** Why the plan of a preview cannot be confirmed for the merge any more, or never could: pure, one sentence for each reason. */
import { isButtonOf, shortSha, type Deployment, type PlanButton } from '@nereid/domain/deployment';
import type { PullRequestLook } from '@nereid/domain/pull-request';
import type { PullRequest } from '@nereid/forge';
import { objectingPolicies } from '@nereid/domain/gates';

/** The facts that are known when somebody presses the button. */
export interface BeforeMerge {
  readonly preview: Deployment;
  readonly button: PlanButton;
  /** As the forge has it at this moment. */
  readonly pullRequest: Pick<PullRequest, 'state' | 'merged' | 'headSha' | 'fromFork' | 'number'>;
  readonly look: PullRequestLook | undefined;
  /** Where the lane of the root stands at this moment. */
  readonly lane: string | undefined;
  /** Whether the server's file lets a review before the merge count. */
  readonly isAllowed: boolean;
}

/** Undefined when it can be confirmed. */
export function whyNotForMerge(before: BeforeMerge): string | undefined {
  const { preview, button, pullRequest, isAllowed } = before;
  const { plan, status } = preview.progress;
  const { headSha, forMerge } = preview.preview ?? {};
  if (forMerge === undefined || !isAllowed)
    return 'this root is reviewed after the merge. Merge, then confirm its plan.';
  if (status !== 'planned' || !plan?.made.body.hasChanges) return 'there is no plan with changes to confirm.';
  if (!isButtonOf(button, plan.made)) return 'that was for another plan. Review the plan shown here.';
  const [objecting] = objectingPolicies(plan.made.body);
  if (objecting) return `the policy ${objecting.name} denies this plan. An owner can override it after the merge.`;
  if (pullRequest.fromFork) return 'plans of forks are reviewed after the merge.';
  if (pullRequest.merged) return 'this is merged already. Confirm the plan of its deployment.';
  if (pullRequest.state !== 'open') return `#${pullRequest.number} is closed.`;
  if (pullRequest.headSha !== headSha)
    return `${shortSha(pullRequest.headSha)} was pushed since. Review the plan of that commit.`;
  return whyOutdated(before);
}

function whyOutdated({ preview, look, lane }: BeforeMerge): string | undefined {
  if (look?.notRenewed === 'idle')
    return 'this plan may be out of date: the branch or the root changed while nobody touched this for two weeks. Comment `plan` for a new one.';
  const current = look?.isOpen ? look.previews.find(({ deploymentId }) => deploymentId === preview.id) : undefined;
  if (current === undefined) return 'a newer plan of this root was made. Review that one.';
  if (current.outdatedBy !== undefined)
    return `${shortSha(current.outdatedBy)} was merged since and changes this root. It is planned again once that is deployed.`;
  if (current.ahead !== undefined)
    return `${shortSha(current.ahead)} was merged and is not deployed yet. This root is planned again once it is.`;
  if (lane === undefined || lane !== preview.preview?.forMerge?.lane)
    return 'this root was applied since this plan was made. Comment `plan` for a new one.';
  return undefined;
}
