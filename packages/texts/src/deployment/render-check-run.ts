/** The check run of a deployment: a pure function of the deployment's state in its lane. */
import { ACTIONS } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import {
  buttonIdentifier,
  checkRunName,
  hasEnded,
  planButton,
  previewCheckRunName,
  type Deployment,
  type EndedStatus,
  type PlanKind,
  type Presentation,
  type PressedButton,
} from '@nereid/domain/deployment';
import type { Plan } from '@nereid/domain/plan';
import type { Button, CheckRunConclusion, CheckRunContent } from '@nereid/forge';
import type { CheckRunDetails } from './check-run-details.ts';
import type { CheckRunLinks } from './links.ts';
import { objectionsTo } from './policies.ts';
import { planTextSection } from './plan/plan-text.ts';
import { checkRunSummary, showsPlan, supersededSummary } from './summary.ts';
import { checkRunTitle, isConfirmable, isWaitingForHost, supersededTitle } from './title.ts';

export function renderCheckRun(
  subject: Presentation,
  links: CheckRunLinks,
  details: CheckRunDetails = {},
): CheckRunContent {
  const { deployment } = subject;
  const { root, revision, preview } = deployment;
  const { planText } = details;
  return {
    name: preview ? previewCheckRunName(root.name) : checkRunName(root.name),
    headSha: preview?.headSha ?? revision.sha,
    externalId: deployment.id,
    detailsUrl: links.deploymentUrl,
    ...stateOf(subject),
    title: checkRunTitle(subject),
    summary: checkRunSummary(subject, links, details),
    ...(planText && showsPlan(deployment) && { text: planTextSection(planText, links.deploymentUrl) }),
    actions: links.wordsOnly === undefined ? buttonsOf(subject) : [],
  };
}

/**
 * A completed check run after work has gone on. A newer check run of the same name shows the work, and the buttons of this one
 * would do nothing, so they are removed.
 */
export function renderSuperseded(deployment: Deployment, links: CheckRunLinks): CheckRunContent {
  return {
    ...renderCheckRun({ deployment }, links),
    ...completed('neutral', deployment.progress.review?.at ?? deployment.unlocked?.body.askedAt),
    title: supersededTitle(deployment),
    summary: supersededSummary(deployment, links),
    actions: [],
  };
}

type State = Pick<CheckRunContent, 'status' | 'conclusion' | 'completedAt'>;

/** A forge may show buttons on completed check runs only, so every wait for a person is `completed`, `action_required`. */
function stateOf({ deployment, lock }: Presentation): State {
  const { status, times } = deployment.progress;
  if (hasEnded(status)) return completed(conclusionOf(deployment, status), times[status]);
  if (isWaitingForHost(deployment)) return { status: 'queued' };
  switch (status) {
    case 'queued':
      return lock ? waitingForAPerson(later(deployment.receivedAt, lock.at)) : { status: 'queued' };
    case 'blocked':
      return { status: 'queued' };
    case 'preparing':
    case 'planning':
    case 'applying':
      return { status: 'in_progress' };
    case 'awaiting-review':
      return waitingForAPerson(times['awaiting-review']);
  }
}

function waitingForAPerson(since: string | undefined): State {
  return completed('action_required', since);
}

function completed(conclusion: CheckRunConclusion, completedAt: string | undefined): State {
  return { status: 'completed', conclusion, ...defined({ completedAt }) };
}

/** The later of two times in ISO 8601. */
function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** A preview that nobody needs any more is no bad news; one that a policy denies is. What a removed root leaves behind is neither. */
function conclusionOf(deployment: Deployment, status: EndedStatus): CheckRunConclusion {
  if (status === 'planned' && objectionsTo(deployment).length > 0) return 'failure';
  const { preview, progress } = deployment;
  if (preview?.isRemoval && (status !== 'planned' || progress.plan?.made.body.hasChanges === true)) return 'neutral';
  return preview && status === 'cancelled' ? 'neutral' : CONCLUSION[status];
}

const CONCLUSION = {
  succeeded: 'success',
  planned: 'success',
  'no-changes': 'success',
  'plan-failed': 'failure',
  'apply-failed': 'failure',
  refused: 'failure',
  'host-lost': 'failure',
  'apply-outcome-unknown': 'timed_out',
  expired: 'timed_out',
  rejected: 'cancelled',
  cancelled: 'cancelled',
  skipped: 'neutral',
} as const satisfies Record<EndedStatus, CheckRunConclusion>;

function buttonsOf(subject: Presentation): readonly Button[] {
  return pressableOn(subject).map((pressed) => {
    const { label, description } = ACTIONS[pressed.kind];
    return { label, description, identifier: buttonIdentifier(pressed) };
  });
}

/** Policies come before the review. A plan that takes none goes on once they are overridden. */
function buttonsOfReview(deployment: Deployment, plan: Plan): readonly PlanKind[] {
  if (objectionsTo(deployment).length > 0) return ['override', 'reject'];
  return plan.reviewRequired ? ['confirm', 'reject'] : [];
}

/** The buttons of a deployment, wherever it is shown. Pure. */
export function pressableOn({ deployment, lock }: Pick<Presentation, 'deployment' | 'lock'>): readonly PressedButton[] {
  const { status, plan, review } = deployment.progress;
  const ofPlan = (kinds: readonly PlanKind[]) => kinds.flatMap((kind) => (plan && planButton(kind, plan.made)) ?? []);
  if (status === 'awaiting-review' && plan && !review) return ofPlan(buttonsOfReview(deployment, plan));
  if (isConfirmable(deployment)) return ofPlan(['merge']);
  const isLocked =
    status === 'queued' ? lock !== undefined : status === 'apply-outcome-unknown' && !deployment.unlocked;
  return isLocked ? [{ kind: 'unlock' }] : [];
}
