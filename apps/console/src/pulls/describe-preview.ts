/** How the plan of a root is shown to a person. Pure functions. */
import { defined } from '@nereid/domain/defined';
import { hasEnded, losesSomething } from '@nereid/domain/deployment';
import { LANE_LOOK, STATUS_LOOK, type Look } from '@nereid/domain/looks';
import type { PlanSummary } from '@nereid/domain/plan';
import { whatStays } from '@nereid/texts';
import type { PreviewView } from './pull-request-view.ts';

export interface PreviewDescription {
  readonly look: Look;
  /** Why it waits, or why there is no plan. May contain untrusted names. */
  readonly reason?: string;
}

export function describePreview({ planned, isUnread, isRemoval }: PreviewView): PreviewDescription {
  if (isUnread) return { look: { icon: 'alert', mood: 'waiting', word: 'Cannot be read' } };
  if (isRemoval) return describeRemoval(planned);
  if (planned === undefined) return { look: LOST, reason: 'Push a commit, or re-run its check' };
  const { progress, isVague } = planned;
  if (isVague) return { look: { icon: 'work', mood: 'working', word: 'Under way' } };
  const { status, waitsFor, reason = progress.failure?.body.summary } = progress;
  const isUnchanged = status === 'planned' && !progress.plan?.made.body.hasChanges;
  const look = waitsFor === 'host' ? LANE_LOOK.waiting : STATUS_LOOK[isUnchanged ? 'no-changes' : status];
  return { look, ...defined({ reason }) };
}

/** Nothing is planned, so nothing fails: a state that cannot be read is something to know. */
function describeRemoval(planned: PreviewView['planned']): PreviewDescription {
  const { status, plan, failure, reason } = planned?.progress ?? {};
  if (status !== undefined && !hasEnded(status)) return { look: removed('work', 'working', 'reading its state') };
  if (status !== 'planned')
    return {
      look: removed('alert', 'waiting', 'its state cannot be read'),
      reason: failure?.body.summary ?? reason ?? 'Lost',
    };
  if (plan?.made.body.hasChanges !== true) return { look: removed('same', 'good', 'its state holds nothing') };
  return {
    look: removed('alert', 'waiting', whatStays(plan.made.body.summary.forget)),
    reason: 'Nothing destroys what stays',
  };
}

const LOST: Look = { icon: 'alert', mood: 'bad', word: 'Lost' };

function removed(icon: Look['icon'], mood: Look['mood'], what: string): Look {
  return { icon, mood, word: `Removed: ${what}` };
}

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
  if (describePreview(preview).look.mood === 'bad') return 3;
  const changes = changesOf(preview);
  if (changes === undefined) return 0;
  if (preview.isRemoval) return 2;
  return losesSomething(changes) ? 2 : 1;
}
