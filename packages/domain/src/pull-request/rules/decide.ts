/** The rules of a pull request: what it looks at and shows, and when. */
import type { Looked, PullRequestInput, PullRequestNews } from '../model.ts';
import type { PullRequestActor } from './actor.ts';
import { addEnd, awaitEnds, endsDueAt, endsShown, forgetEnds } from './ends.ts';

export type PullRequestEffect =
  /** Looks at the pull request, and plans what is to be planned. */
  | { readonly kind: 'look'; readonly roots: readonly string[] }
  | { readonly kind: 'show' }
  | { readonly kind: 'continue-as-new'; readonly input: PullRequestInput }
  /** The workflow is over. The next news starts it again. */
  | { readonly kind: 'finish'; readonly how: 'idle' | 'cancelled' }
  /** There is nothing to do before the next event, or this time, in epoch milliseconds. */
  | { readonly kind: 'wait'; readonly until: number };

export type PullRequestEvent =
  | { readonly kind: 'news'; readonly message: PullRequestNews }
  | { readonly kind: 'preview-ended'; readonly deploymentId: string | undefined }
  | { readonly kind: 'begun'; readonly effect: PullRequestEffect }
  | { readonly kind: 'cancel-requested'; readonly at: string }
  | { readonly kind: 'looked'; readonly looked: Looked }
  | { readonly kind: 'shown' }
  | { readonly kind: 'failed'; readonly effect: PullRequestEffect; readonly why: string };

/** The pauses after a look that failed for an hour, or for good; after these, the next news or the reconciler tries again. */
const PAUSES_MS: readonly number[] = [5 * 60_000, 30 * 60_000];

/** `now` is in epoch milliseconds. */
export function decidePullRequest(
  actor: PullRequestActor,
  events: readonly PullRequestEvent[],
  now: number,
): PullRequestActor {
  const decided = events.reduce((before, event) => decideOne(before, event, now), actor);
  const isIdle = decided.work === undefined && dueAt(decided) === Infinity;
  return { ...decided, idleSince: isIdle ? (decided.idleSince ?? now) : undefined };
}

function decideOne(actor: PullRequestActor, event: PullRequestEvent, now: number): PullRequestActor {
  switch (event.kind) {
    case 'news': {
      const { deployed: root } = event.message;
      if (root === undefined) return { ...actor, hasNews: true };
      return { ...actor, deployed: [...new Set([...actor.deployed, root])] };
    }
    case 'preview-ended':
      return { ...actor, ends: addEnd(actor.ends, event.deploymentId, now) };
    case 'cancel-requested':
      return { ...actor, isCancelled: true };
    case 'begun':
      return begin(actor, event.effect, now);
    case 'looked': {
      const { sentence, isOpen, underWay } = event.looked;
      const ends = awaitEnds(actor.ends, underWay);
      return { ...actor, work: undefined, isToShow: isOpen, ends, sentence, failures: 0, retryAt: undefined };
    }
    case 'shown':
      return { ...actor, work: undefined };
    case 'failed':
      return fail({ ...actor, work: undefined }, event.effect, event.why, now);
  }
}

function begin(actor: PullRequestActor, effect: PullRequestEffect, now: number): PullRequestActor {
  switch (effect.kind) {
    case 'look': {
      const plannedAgainAt = effect.roots.length > 0 ? now : actor.plannedAgainAt;
      const begun = { work: effect.kind, hasNews: false, isToShow: true, deployed: [], plannedAgainAt };
      return { ...actor, ...begun, ends: forgetEnds(actor.ends) };
    }
    case 'show':
      return { ...actor, work: effect.kind, isToShow: false, ends: endsShown(actor.ends) };
    case 'continue-as-new':
    case 'finish':
    case 'wait':
      return actor;
  }
}

function fail(actor: PullRequestActor, effect: PullRequestEffect, why: string, now: number): PullRequestActor {
  if (effect.kind !== 'look') return { ...actor, sentence: `It could not be shown: ${why}` };
  const pauseMs = PAUSES_MS[actor.failures];
  const sentence = `It could not be looked at: ${why}`;
  if (pauseMs === undefined) return { ...actor, sentence, failures: 0, retryAt: undefined };
  const deployed = [...new Set([...actor.deployed, ...effect.roots])];
  return { ...actor, sentence, deployed, failures: actor.failures + 1, retryAt: now + pauseMs };
}

/** `isLong` says that the history is long enough: it goes on in a new run as soon as nothing is under way. */
export function nextPullRequestEffect(actor: PullRequestActor, now: number, isLong: boolean): PullRequestEffect {
  const { input, work, deployed, idleSince, durations, isCancelled } = actor;
  if (isCancelled) return { kind: 'finish', how: 'cancelled' };
  if (work !== undefined) return { kind: 'wait', until: Infinity };
  if (isLong) return { kind: 'continue-as-new', input: { ...input, hasNews: true, deployed } };
  if (syncDueAt(actor) <= now) return { kind: 'look', roots: deployed };
  if (showDueAt(actor) <= now) return { kind: 'show' };
  const until = idleSince === undefined ? dueAt(actor) : idleSince + durations.idleMs;
  return until <= now ? { kind: 'finish', how: 'idle' } : { kind: 'wait', until };
}

function dueAt(actor: PullRequestActor): number {
  return Math.min(syncDueAt(actor), showDueAt(actor));
}

/** News does not wait for a retry. */
function syncDueAt({ hasNews, retryAt, deployed, plannedAgainAt, durations }: PullRequestActor): number {
  if (hasNews) return 0;
  return retryAt ?? (deployed.length > 0 ? plannedAgainAt + durations.deployedEveryMs : Infinity);
}

function showDueAt({ isToShow, ends, durations }: PullRequestActor): number {
  return isToShow ? 0 : endsDueAt(ends, durations.othersMs);
}
