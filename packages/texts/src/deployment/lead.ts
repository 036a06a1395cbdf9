/** The first sentences of a check run's summary: the state of the deployment and, if it waits, for whom or what. */
import type { PermissionKey } from '@nereid/domain/actions';
import { reviewExpiry, shortSha, waitSentence, type Deployment, type Presentation } from '@nereid/domain/deployment';
import type { CheckRunLinks } from './links.ts';
import { objectionLead } from './policies.ts';
import { removalLead } from './removal.ts';
import { isConfirmable, isWaitingForHost } from './title.ts';
import { waitMarkdown } from './wait-markdown.ts';
import { link, person, sentence, time } from '@nereid/forge';
import {
  asksSeveral,
  confirmingRules,
  describePeople,
  describeRule,
  describeRules,
  describeStanding,
} from '@nereid/domain/gates';
import { describeLock } from '@nereid/domain/lane';

/** Markdown; one paragraph, or two where there is a reason to add. */
export function checkRunLead(subject: Presentation, links: CheckRunLinks): string {
  const { deployment } = subject;
  const { status, review, reason } = deployment.progress;
  if (isWaitingForHost(deployment)) return withReason(waitingForHost(deployment, links), reason);
  const removal = removalLead(deployment);
  if (removal !== undefined) return removal;
  switch (status) {
    case 'queued':
      return queued(subject, links);
    case 'awaiting-review':
      // Of one that is confirmed, the reason says why the apply waits.
      return withReason(review ? waitMarkdown(waitSentence({ status, review })) : awaitingAnswer(deployment), reason);
    case 'apply-outcome-unknown':
      return withReason(unknownOutcome(deployment), reason);
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
        (deployment.progress.plan?.made.body.hasChanges === true ? plannedForMerge(deployment) : LEAD.unchanged)
      );
    case 'skipped':
      return withReason(carriedBy(deployment, links) ?? LEAD[status], reason);
    case 'cancelled':
    case 'plan-failed':
    case 'host-lost':
      return withReason(deployment.preview ? PREVIEW_LEAD[status] : LEAD[status], reason);
    case 'blocked':
      return `${withReason(deployment.progress.plan ? LEAD.closed : LEAD.blocked, reason)}${underWay(links)}`;
    case 'preparing':
    case 'refused':
    case 'planning':
    case 'apply-failed':
    case 'expired':
      return withReason(LEAD[status], reason);
  }
}

const LIVE = 'The page of this deployment shows the log live.';
/** True whether or not a host has taken the plan: that is known of one that lasts. */
const PLANNING = `The first host with a free slot plans exactly this revision. ${LIVE}`;
const RERUN = '**Re-run** this check to try again with a new plan.';

const LEAD = {
  preparing: PLANNING,
  planning: PLANNING,
  planned:
    'Merging this pull request would change this. It is planned again after the merge, and nothing is applied before that.',
  unchanged: 'Merging this pull request would change nothing here.',
  blocked: 'This deployment is waiting.',
  closed: 'This exact plan is applied automatically as soon as it may be.',
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
  cancelled: 'This plan is no longer needed.',
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
    return `${person(by)} confirmed exactly this plan for the merge, ${time(at)}. It is applied once this is merged, if nothing else changes this root first.`;
  }
  if (deployment.progress.plan?.made.body.newWorkspace)
    return `${LEAD.planned} Its workspace \`${deployment.root.workspace}\` is new: it is made at the merge, so this was planned against nothing.`;
  if (!isConfirmable(deployment)) return LEAD.planned;
  return `Merging this pull request would change this. **Confirm for merge** has exactly this plan applied once this is merged, if nothing else changes this root first. Without it, this root is planned again after the merge. ${whoMay(deployment, 'confirm')}`;
}

/** There is no review when the root asks nobody, or asks only for plans that destroy something. */
function planOf(deployment: Deployment): string {
  const { review, plan } = deployment.progress;
  const rules = confirmingRules(deployment);
  if (rules.length > 0) return `the plan of exactly this revision, confirmed by ${sentence(describeRules(rules))}`;
  if (review?.press?.body.carriedFrom !== undefined)
    return `a plan that is equal to the one that ${person(review.by)} confirmed, by all addresses, actions and values before and after`;
  return review
    ? `exactly the plan that ${person(review.by)} confirmed${plan?.beforeMerge ? ' before the merge' : ''}`
    : 'the plan of exactly this revision; its root requires no review of such a plan';
}

/** Without this note, people would be surprised that later merges wait. */
function lockedNote({ trigger, rerun, unlocked }: Deployment): string {
  if (trigger !== 'manual' || rerun || unlocked) return '';
  return ' The lane is locked now: later merges wait until somebody comments `unlock` or presses **Unlock** on their check runs.';
}

function unknownOutcome({ trigger, rerun, unlocked, root, progress: { status } }: Deployment): string {
  const parts = waitSentence({ status, unlocked, isRepeatable: trigger === 'merge' || rerun });
  return unlocked ? waitMarkdown(parts) : `${waitMarkdown(parts)} ${whoMay({ root }, 'unlock')}`;
}

function carriedBy({ carrier }: Deployment, { carrierUrl }: CheckRunLinks): string | undefined {
  if (carrier === undefined) return undefined;
  const sha = shortSha(carrier.revision);
  return `This revision is part of ${carrierUrl ? link(`the deployment of ${sha}`, carrierUrl) : `the deployment of ${sha}`}.`;
}

function queued({ deployment, lock, ahead }: Presentation, { lockUrl }: CheckRunLinks): string {
  const { status, reason } = deployment.progress;
  const owner = lock && sentence(describeLock(lock));
  const parts = waitSentence({ status, reason, ahead, lock });
  const text = waitMarkdown(parts, owner && lockUrl ? link(owner, lockUrl) : owner);
  return lock ? `${text} ${whoMay(deployment, 'unlock')}` : text;
}

/** Policies come before the review. A plan that takes none goes on once they are overridden. */
function awaitingAnswer(deployment: Deployment): string {
  const { status, plan, overrides = [] } = deployment.progress;
  const expiry = waitMarkdown(reviewExpiry(plan?.expiresAt));
  const objection = objectionLead(deployment);
  if (objection !== undefined) return `${objection}\n\n${expiry.trim()}`;
  const by = overrides.at(-1)?.body.by;
  if (plan?.reviewRequired === false && by !== undefined)
    return `${person(by)} overrode the policies, and the apply has not begun.`;
  const confirm = asksSeveral(deployment.root.review) ? 'The last **Confirm**' : '**Confirm**';
  return `${waitMarkdown(waitSentence({ status }))} ${confirm} applies exactly this plan; **Reject** ends this deployment. ${whoMay(deployment, 'confirm')}${whoHas(deployment)}${expiry}`;
}

/** Of a plan that several people have to confirm. */
function whoHas({ root: { review }, progress: { approvals = [] } }: Deployment): string {
  if (!asksSeveral(review)) return '';
  const answers = approvals.map(({ body }) => body);
  return ` Needs ${sentence(describePeople(review))}: ${sentence(describeStanding(review, answers))}.`;
}

function whoMay({ root }: Pick<Deployment, 'root'>, action: PermissionKey): string {
  return `It takes ${sentence(describeRule(action, root.permissions[action]))}.`;
}

/** The pages of the deployments that the reason names. */
function underWay({ named = [] }: CheckRunLinks): string {
  if (named.length === 0) return '';
  return `\n\nUnder way: ${named.map(({ rootName, url }) => link(sentence(rootName), url)).join(', ')}`;
}

/** The reason is a sentence that may quote names from outside. */
function withReason(lead: string, reason: string | undefined): string {
  return reason === undefined ? lead : `${lead}\n\n${sentence(reason)}`;
}
