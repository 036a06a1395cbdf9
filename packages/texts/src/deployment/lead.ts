/** The first sentences of a check run's summary: the state of the deployment and, if it waits, for whom or what. */
import type { PermissionKey } from '@nereid/domain/actions';
import { shortSha, type Deployment, type Presentation, type Unlock } from '@nereid/domain/deployment';
import type { Review } from '@nereid/domain/plan';
import type { CheckRunLinks } from './links.ts';
import { objectionLead } from './policies.ts';
import { removalLead } from './removal.ts';
import { isConfirmable, isWaitingForHost } from './title.ts';
import { link, person, sentence, time } from '@nereid/forge';
import { describeRule } from '@nereid/domain/gates';
import { describeLock } from '@nereid/domain/lane';

/** Markdown; one paragraph, or two where there is a reason to add. */
export function checkRunLead(subject: Presentation, links: CheckRunLinks): string {
  const { deployment } = subject;
  const { unlocked } = deployment;
  const { status, review, reason } = deployment.progress;
  if (isWaitingForHost(deployment)) return withReason(waitingForHost(deployment, links), reason);
  const removal = removalLead(deployment);
  if (removal !== undefined) return removal;
  switch (status) {
    case 'queued':
      return queued(subject, links);
    case 'awaiting-review':
      return withReason(review ? confirmed(review) : awaitingAnswer(deployment), reason);
    case 'apply-outcome-unknown':
      return withReason(
        `The apply was interrupted, and nobody can tell how much of it happened. ${unlocked ? unlockedBy(unlocked.body) : lookAndUnlock(deployment)}`,
        reason,
      );
    case 'rejected':
      return `${review ? person(review.by) : 'A person'} rejected this plan. Nothing was applied.`;
    case 'applying':
      return withReason(`Terraform is applying ${planOf(deployment)}. ${LIVE}`, reason);
    case 'succeeded':
      return `Terraform applied ${planOf(deployment)}.${lockedNote(deployment)}`;
    case 'no-changes':
      return `${LEAD[status]}${lockedNote(deployment)}`;
    case 'planned':
      return (
        objectionLead(deployment) ??
        (deployment.progress.plan?.hasChanges === true ? plannedForMerge(deployment) : LEAD.unchanged)
      );
    case 'skipped':
      return withReason(carriedBy(deployment, links) ?? LEAD[status], reason);
    case 'cancelled':
    case 'plan-failed':
    case 'host-lost':
      return withReason(deployment.preview ? PREVIEW_LEAD[status] : LEAD[status], reason);
    case 'preparing':
    case 'blocked':
    case 'refused':
    case 'planning':
    case 'apply-failed':
    case 'expired':
      return withReason(LEAD[status], reason);
  }
}

const LIVE = 'The page of this deployment shows the log live.';
const RERUN = '**Re-run** this check to try again with a new plan.';

const LEAD = {
  preparing: `Terraform is planning exactly this revision. ${LIVE}`,
  planning: `Terraform is planning exactly this revision. ${LIVE}`,
  planned:
    'Merging this pull request would change this. It is planned again after the merge, and nothing is applied before.',
  unchanged: 'Merging this pull request would change nothing here.',
  blocked: 'This deployment is waiting.',
  cancelled: `Nothing was applied. ${RERUN}`,
  skipped: 'Nothing had to be done.',
  refused: 'Nothing was applied.',
  'no-changes': 'The infrastructure already matches this revision. Nothing had to be applied.',
  'plan-failed': `Nothing was applied. Fix the cause in a new commit or, if it lies elsewhere, fix it there and **Re-run** this check.`,
  'apply-failed': `Changes that were made before the failure stay. If the code has to change, fix it in a new commit; otherwise **Re-run** this check to plan what is left.`,
  expired: `Nothing was applied. ${RERUN}`,
  'host-lost': `The host that worked on this deployment was lost before anything was applied. ${RERUN}`,
} as const;

/** Of a pull request's preview. */
const PREVIEW_LEAD = {
  cancelled: 'This plan is not needed any more.',
  'host-lost': 'This plan was lost. **Re-run** this check to try again.',
  'plan-failed':
    'Merging this pull request as it is would fail. Push a fix; if the cause lies elsewhere, fix it there and **Re-run** this check.',
} as const;

/** Asks nobody to do anything; the reason says so when somebody has to start a worker. */
function waitingForHost(deployment: Deployment, { hostsUrl }: CheckRunLinks): string {
  const next = deployment.progress.status === 'applying' ? `apply ${planOf(deployment)}` : 'make the plan';
  const now = hostsUrl === undefined ? '' : ` ${link('The page of hosts', hostsUrl)} shows their slots live.`;
  return `The next host with a free slot is going to ${next}.${now}`;
}

/** Nothing is planned a second time when a person confirms the plan before the merge. */
function plannedForMerge(deployment: Deployment): string {
  const { confirmedForMerge } = deployment;
  if (confirmedForMerge) {
    const { by, at } = confirmedForMerge;
    return `${person(by)} confirmed exactly this plan for the merge, ${time(at)}. It is applied once this is merged, if nothing else changes this root before.`;
  }
  if (deployment.progress.plan?.newWorkspace)
    return `${LEAD.planned} Its workspace \`${deployment.root.workspace}\` is new: it is made at the merge, so this was planned against nothing.`;
  if (!isConfirmable(deployment)) return LEAD.planned;
  return `Merging this pull request would change this. **Confirm for merge** has exactly this plan applied once this is merged, if nothing else changes this root before; without that, it is planned again after the merge. ${whoMay(deployment, 'confirm')}`;
}

/** There is no review when the root asks nobody, or asks only for plans that destroy something. */
function planOf({ progress: { review, plan } }: Deployment): string {
  return review
    ? `exactly the plan that ${person(review.by)} confirmed${plan?.beforeMerge ? ' before the merge' : ''}`
    : 'the plan of exactly this revision; its root asks for no review of such a plan';
}

/** Without this note, people would be surprised that later merges wait. */
function lockedNote({ trigger, rerun, unlocked }: Deployment): string {
  if (trigger !== 'manual' || rerun || unlocked) return '';
  return ' The lane is locked now: later merges wait until somebody comments `unlock` or presses **Unlock** on their check runs.';
}

function lookAndUnlock(deployment: Deployment): string {
  const rerun =
    deployment.trigger === 'merge' || deployment.rerun ? ', or **Re-run** this check to plan what is left' : '';
  return `Look at the log and at the resources that exist, and check whether the state is still locked. Then **Unlock** the lane${rerun}. ${whoMay(deployment, 'unlock')}`;
}

function unlockedBy({ by, askedAt }: Unlock): string {
  return `${person(by)} unlocked the lane, ${time(askedAt)}: waiting deployments go on.`;
}

function carriedBy({ carrier }: Deployment, { carrierUrl }: CheckRunLinks): string | undefined {
  if (carrier === undefined) return undefined;
  const sha = shortSha(carrier.revision);
  return `This revision is part of ${carrierUrl ? link(`the deployment of ${sha}`, carrierUrl) : `the deployment of ${sha}`}.`;
}

function queued({ deployment, lock, ahead = 0 }: Presentation, { lockUrl }: CheckRunLinks): string {
  if (lock) {
    const owner = sentence(describeLock(lock));
    return `Locked by ${lockUrl ? link(owner, lockUrl) : owner}, ${time(lock.at)}. **Unlock** lets the waiting deployments of this lane go on. ${whoMay(deployment, 'unlock')}`;
  }
  const { reason } = deployment.progress;
  if (reason !== undefined) return `This deployment ${sentence(reason)}. It starts by itself once that is done.`;
  if (ahead === 0) return 'This deployment is next in its lane.';
  return `${ahead === 1 ? 'One deployment goes' : `${ahead} deployments go`} first in this lane.`;
}

/** Policies come before the review. A plan that takes none goes on once they are overridden. */
function awaitingAnswer(deployment: Deployment): string {
  const { plan, overrides = [] } = deployment.progress;
  const expiry = plan?.expiresAt === undefined ? '' : ` Without an answer this ends ${time(plan.expiresAt)}.`;
  const objection = objectionLead(deployment);
  if (objection !== undefined) return `${objection}\n\n${expiry.trim()}`;
  const by = overrides.at(-1)?.body.by;
  if (plan?.reviewRequired === false && by !== undefined)
    return `${person(by)} overrode the policies, and the apply has not begun.`;
  return `Waiting for a person. **Confirm** applies exactly this plan, **Reject** ends this deployment. ${whoMay(deployment, 'confirm')}${expiry}`;
}

/** The reason says why the apply waits. */
function confirmed(review: Review): string {
  return `${person(review.by)} confirmed exactly this plan, and its apply has not begun.`;
}

function whoMay({ root }: Deployment, action: PermissionKey): string {
  return `It takes ${sentence(describeRule(action, root.permissions[action]))}.`;
}

/** The reason is a sentence that may quote names from outside. */
function withReason(lead: string, reason: string | undefined): string {
  return reason === undefined ? lead : `${lead}\n\n${sentence(reason)}`;
}
