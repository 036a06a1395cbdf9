/** How the plan of a root is shown to a person. Pure functions. */
import { defined } from '@nereid/domain/defined';
import { hasEnded, losesSomething } from '@nereid/domain/deployment';
import type { PlanSummary } from '@nereid/domain/plan';
import { whatStays } from '@nereid/texts';
import { STATUS_LOOK, type StatusLook } from '../platform/html/status-look.ts';
import type { PreviewView } from './pull-request-view.ts';

export interface PreviewDescription extends StatusLook {
  /** Why it waits, or why there is no plan. May contain untrusted names. */
  readonly reason?: string;
}

export function describePreview({ planned, isUnread, isRemoval }: PreviewView): PreviewDescription {
  if (isUnread) return { headline: 'Cannot be read', mood: 'waiting' };
  if (isRemoval) return describeRemoval(planned);
  if (planned === undefined) return { headline: 'Lost', mood: 'bad', reason: 'Push a commit, or re-run its check' };
  const { progress, isVague } = planned;
  if (isVague) return { headline: 'Under way', mood: 'working' };
  const { status, waitsFor, reason = progress.failure?.body.summary } = progress;
  const look = status === 'planned' && !progress.plan?.made.body.hasChanges ? UNCHANGED : STATUS_LOOK[status];
  return {
    ...(waitsFor === 'host' ? { headline: 'Waiting', mood: 'waiting' } : look),
    ...defined({ reason }),
  };
}

/** Nothing is planned, so nothing fails: a state that cannot be read is something to know. */
function describeRemoval(planned: PreviewView['planned']): PreviewDescription {
  const { status, plan, failure, reason } = planned?.progress ?? {};
  if (status !== undefined && !hasEnded(status)) return { headline: 'Removed: reading its state', mood: 'working' };
  if (status !== 'planned')
    return {
      headline: 'Removed: its state cannot be read',
      mood: 'waiting',
      reason: failure?.body.summary ?? reason ?? 'Lost',
    };
  if (plan?.made.body.hasChanges !== true) return { headline: 'Removed: its state holds nothing', mood: 'good' };
  return {
    headline: `Removed: ${whatStays(plan.made.body.summary.forget)}`,
    mood: 'waiting',
    reason: 'Nothing destroys what stays',
  };
}

const UNCHANGED: StatusLook = { headline: 'No changes', mood: 'good' };

/** The changes of its plan; undefined when there are none, or no plan. */
export function changesOf({ planned }: PreviewView): PlanSummary | undefined {
  const plan = planned?.progress.plan;
  return plan?.made.body.hasChanges === true ? plan.made.body.summary : undefined;
}

/** Failures come first, then plans that destroy, then other changes. */
export function byWeight(one: PreviewView, other: PreviewView): number {
  return weightOf(other) - weightOf(one) || (one.rootName < other.rootName ? -1 : 1);
}

function weightOf(preview: PreviewView): number {
  if (describePreview(preview).mood === 'bad') return 3;
  const changes = changesOf(preview);
  if (changes === undefined) return 0;
  if (preview.isRemoval) return 2;
  return losesSomething(changes) ? 2 : 1;
}
