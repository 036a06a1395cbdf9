/** What a deployment does by itself, without another event: it enters its next step, concludes its review, ends a pause, is stopped. */
import { whyCancelled, type DeploymentActor } from './actor.ts';
import { advanceTo, goTo } from './changes.ts';
import { decidePresses } from './presses/presses.ts';
import type { Place, Step } from './step.ts';
import { beginApplying, applyOn, close } from './steps/applying.ts';
import { rejectAtGate } from './steps/at-gate.ts';
import { findReviewed } from './steps/before-merge.ts';
import { beginEnd } from './steps/ending.ts';
import { abandon, inspect } from './steps/inspecting.ts';
import { openPermission } from './steps/permission.ts';
import { beginPlanning } from './steps/planning.ts';
import { closedReview, concludeReview, openReview } from './steps/review.ts';
import { endWait, showLongClaim } from './steps/waiting.ts';

export function goOn(actor: DeploymentActor, now: number): DeploymentActor {
  const decided = decidePresses(actor, now);
  const next = stopIfCancelled(moveOn(decided, now), now);
  return next === actor ? actor : goOn(next, now);
}

function moveOn(actor: DeploymentActor, now: number): DeploymentActor {
  const { step, reviewing } = actor;
  if (step.kind === 'to') return enter(actor, step.place, now);
  if (step.kind === 'review') return concludeReview(actor, step.plan, now);
  if (step.kind === 'gate' && reviewing.answer?.answer === 'rejected')
    return rejectAtGate(actor, reviewing.answer, now);
  if (step.kind === 'gate' && step.askAt <= now) return goTo(actor, { kind: 'permission', plan: step.plan });
  if (step.kind === 'pause' && step.until <= now) return { ...actor, step: step.next };
  return showLongClaim(actor, now);
}

function enter(actor: DeploymentActor, place: Place, now: number): DeploymentActor {
  switch (place.kind) {
    case 'reviewed before':
      return findReviewed(actor, now);
    case 'plan':
      return beginPlanning(actor, place.why, now);
    case 'review':
      return openReview(actor, place.plan, now);
    case 'permission':
      return openPermission(actor, place.plan, now);
    case 'apply': {
      const { applying, permission, isElsewhere } = place;
      return isElsewhere
        ? applyOn(actor, applying, permission, actor.durations.hostScheduleToStartMs)
        : beginApplying(actor, applying, permission, now);
    }
    case 'inspection':
      return inspect(actor, place.applying, place.job, place.lost, now);
    case 'end':
      return beginEnd(actor);
  }
}

/** Nothing begins any more, but for what has to be known. What is under way is asked to stop, and its end decides. */
function stopIfCancelled(actor: DeploymentActor, now: number): DeploymentActor {
  return actor.isCancelled && actor.work === undefined ? stop(actor, actor.step, now) : actor;
}

function stop(actor: DeploymentActor, step: Step, now: number): DeploymentActor {
  switch (step.kind) {
    case 'to':
    case 'end':
    case 'verify-approval':
      return actor;
    case 'permission':
      // Nobody knows whether the first request told the audit trail of a start.
      return step.asks === 'elsewhere' ? close(actor, step.applying, { kind: 'cancelled' }, now) : actor;
    case 'find-host':
    case 'apply':
      return close(actor, step.applying, { kind: 'cancelled' }, now);
    case 'inspect':
      return step.isKept ? actor : abandon(actor, step, now);
    case 'pause':
      return step.next.kind === 'inspect' && step.next.isKept ? actor : stop(actor, step.next, now);
    case 'claim': {
      const over = endWait(actor, step, now);
      if (step.for.kind !== 'another host') return endCancelled(over, now);
      return close(over, step.for.applying, { kind: 'cancelled' }, now);
    }
    default:
      return endCancelled(actor, now);
  }
}

/** Cancelled before its apply began, so nothing was applied. With the status `applying`, the outcome counts as unknown. */
function endCancelled(actor: DeploymentActor, now: number): DeploymentActor {
  const status = actor.progress.status === 'applying' ? 'apply-outcome-unknown' : 'cancelled';
  const closed = { ...actor, reviewing: closedReview(actor.reviewing) };
  return goTo(advanceTo(closed, status, now, { reason: whyCancelled(actor) }), { kind: 'end' });
}
