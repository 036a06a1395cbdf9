/** A deployment's state in one line, as the list of checks shows it. */
import {
  hasEnded,
  type Deployment,
  type Presentation,
  appliedCounts,
  planCounts,
  queueLine,
  warningCount,
} from '@nereid/domain/deployment';
import { asksSeveral, confirmingRules, standingOf, waitsOf } from '@nereid/domain/gates';
import type { Plan } from '@nereid/domain/plan';
import { describeLock } from '@nereid/domain/lane';
import { capitalised } from '@nereid/domain/words';
import { plain } from '@nereid/forge';
import { objectionTitle } from './policies.ts';
import { removalTitle } from './removal.ts';

/** GitHub shows about this much of a title before it hides the rest. */
const TITLE_LIMIT = 200;

export function checkRunTitle(subject: Presentation): string {
  return plain(titleOf(subject), TITLE_LIMIT);
}

/** A message has room for a sentence. */
const SENTENCE_LIMIT = 500;

/** The title for a message, which has no other line: of a plan that waits for a review, it says whose. `now` is in epoch milliseconds. */
export function titleWithReviewers(subject: Presentation, now: number): string {
  const { deployment, lock } = subject;
  const { plan } = deployment.progress;
  const [wait] = waitsOf(deployment, { lock }, now);
  if (plan === undefined || wait?.reason !== 'review') return checkRunTitle(subject);
  return plain(`Plan: ${countsOf(plan)}; ${wait.sentence}`, SENTENCE_LIMIT);
}

/** The action of a person after which the deployment went on in a newer check run. */
export function supersededTitle({ unlocked, progress: { review, overrides = [] } }: Deployment): string {
  if (review) return plain(`Confirmed by @${review.by}`, TITLE_LIMIT);
  const override = overrides.at(-1);
  if (override) return plain(`Policies overridden by @${override.body.by}`, TITLE_LIMIT);
  return plain(unlocked ? `Unlocked by @${unlocked.body.by}` : 'Went on', TITLE_LIMIT);
}

function titleOf(subject: Presentation): string {
  const { deployment } = subject;
  const { status, reason, review, applied, failure, plan } = deployment.progress;
  if (isWaitingForHost(deployment)) return reason ?? 'Waiting for a host';
  const removal = removalTitle(deployment);
  if (removal !== undefined) return removal;
  switch (status) {
    case 'queued':
      return queuedTitle(subject);
    case 'blocked':
      return capitalised(reason ?? 'blocked');
    case 'preparing':
    case 'planning':
      return 'Planning';
    case 'awaiting-review':
      return awaitingTitle(deployment);
    case 'applying':
      if (review) return `Applying (confirmed by @${review.by}${confirmedWhat(deployment)})`;
      return confirmingRules(deployment).length > 0 ? 'Applying (confirmed by a rule)' : 'Applying';
    case 'succeeded':
      return applied ? `Applied: ${appliedCounts(applied, plan?.made.body)}` : 'Applied';
    case 'no-changes':
      return `No changes${plan ? warningCount(plan) : ''}`;
    case 'planned':
      return plannedTitle(deployment);
    case 'plan-failed':
      return failure?.body.summary ?? reason ?? 'Plan failed';
    case 'apply-failed':
      return failure?.body.summary ?? reason ?? 'Apply failed';
    case 'apply-outcome-unknown':
      return 'Apply interrupted: outcome unknown';
    case 'rejected':
      return review ? `Rejected by @${review.by}` : 'Rejected';
    case 'expired':
      return reason ?? 'Nobody reviewed the plan in time';
    case 'cancelled':
      return reason ?? 'Cancelled';
    case 'skipped':
      return reason ?? 'Already deployed';
    case 'refused':
      return reason ?? failure?.body.summary ?? 'Refused';
    case 'host-lost':
      return reason ?? failure?.body.summary ?? 'The host was lost';
  }
}

/** " before the merge", or another plan than the one that is applied. */
function confirmedWhat({ progress: { plan, review } }: Deployment): string {
  if (plan?.beforeMerge) return ' before the merge';
  return review?.press?.body.carriedFrom === undefined ? '' : ' on an equal plan';
}

function queuedTitle({ deployment, ahead, lock }: Presentation): string {
  const { reason } = deployment.progress;
  const line = queueLine({ reason, ahead, lock: lock && describeLock(lock) });
  return lock || reason !== undefined ? capitalised(line) : `Queued, ${line}`;
}

function awaitingTitle(deployment: Deployment): string {
  const { plan, review, overrides = [] } = deployment.progress;
  if (review) return `Confirmed by @${review.by}, not applied yet`;
  const objection = objectionTitle(deployment);
  if (objection !== undefined) return objection;
  const override = overrides.at(-1);
  if (plan?.reviewRequired === false && override) return `Policies overridden by @${override.body.by}, not applied yet`;
  if (plan === undefined) return 'Waiting for a review of the plan';
  return `${confirmedTitle(deployment)}: ${countsOf(plan)}`;
}

function countsOf(plan: Plan): string {
  return `${planCounts(plan.made.body.summary)}${warningCount(plan)}`;
}

/** Of a plan that several people have to confirm, how many of them have. */
function confirmedTitle({ root: { review }, progress: { approvals = [] } }: Deployment): string {
  if (!asksSeveral(review) || approvals.length === 0) return 'Plan';
  const { counted, total } = standingOf(
    review,
    approvals.map(({ body }) => body),
  );
  return `${counted.length} of ${total} confirmed`;
}

/** A host was asked for, to plan or to apply, and none has taken the deployment yet; the reason says why. */
export function isWaitingForHost({ progress }: Deployment): boolean {
  return progress.waitsFor === 'host' && !hasEnded(progress.status);
}

function plannedTitle(deployment: Deployment): string {
  const { confirmedForMerge, progress } = deployment;
  if (!progress.plan?.made.body.hasChanges) return `No changes${progress.plan ? warningCount(progress.plan) : ''}`;
  const objection = objectionTitle(deployment);
  if (objection !== undefined) return objection;
  const place = progress.plan.made.body.newWorkspace ? ', in a new workspace' : '';
  const counts = `${planCounts(progress.plan.made.body.summary)}${place}${warningCount(progress.plan)}`;
  return confirmedForMerge ? `Confirmed for merge by @${confirmedForMerge.by}: ${counts}` : `Plan: ${counts}`;
}

/** Whether a person may confirm the plan of this preview for the merge: not while a policy denies it. */
export function isConfirmable(deployment: Deployment): boolean {
  const { preview, progress, confirmedForMerge } = deployment;
  const isPlanned =
    progress.status === 'planned' &&
    progress.plan?.made.body.hasChanges === true &&
    !progress.plan.made.body.newWorkspace;
  if (objectionTitle(deployment) !== undefined) return false;
  return isPlanned && preview?.forMerge !== undefined && confirmedForMerge === undefined;
}
