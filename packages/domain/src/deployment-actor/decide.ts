/** Decides how events change a deployment. All its decisions are made here and in the files that this one imports. */
import { saidBy } from '../deployment/notice.ts';
import type { DeploymentActor } from './actor.ts';
import { notify } from './changes.ts';
import type { Asking, AskingOf, DeploymentEffect, Effect } from './effects.ts';
import { isForged, type Answered, type AnsweredOf, type DeploymentEvent, type EffectFailure } from './events.ts';
import { goOn } from './go-on.ts';
import { failProof, receivePress, withProof } from './presses/presses.ts';
import {
  beginWriting,
  endWriting,
  failShow,
  noteDifference,
  showAgain,
  shown,
  stopWriting,
  withoutReadNotice,
} from './showing.ts';
import { applied, failApply, hostFound } from './steps/applying.ts';
import { ring } from './steps/at-gate.ts';
import { foundReviewed } from './steps/before-merge.ts';
import { claimed, failClaim } from './steps/claiming.ts';
import { ended, failEnd } from './steps/ending.ts';
import { failInspection, hostOfApplyFound } from './steps/inspecting.ts';
import { failPermission, failVerification, permitted, verified } from './steps/permission.ts';
import { planAnew } from './steps/plan-anew.ts';
import { failPlanning, planned, plannerFailed, planProven, reviewCarried } from './steps/planning.ts';
import { expire } from './steps/review.ts';
import { beginExplaining, beginWait, explained } from './steps/waiting.ts';
import { isWork } from './work.ts';

/** `now` is in epoch milliseconds. */
export function decideDeployment(
  actor: DeploymentActor,
  events: readonly DeploymentEvent[],
  now: number,
): DeploymentActor {
  const start = goOn(withoutReadNotice(actor, now), now);
  const decided = events.reduce((before, event) => goOn(decideOne(before, event, now), now), start);
  return noteDifference(goOn(expire(decided, now), now), now);
}

function decideOne(actor: DeploymentActor, event: DeploymentEvent, now: number): DeploymentActor {
  switch (event.kind) {
    case 'press':
      return receivePress(actor, event.press, now);
    case 'cancelling': {
      if (actor.cancellation !== undefined) return actor;
      const asked = { ...actor, cancellation: event.message };
      return notify(asked, { sentence: `@${event.message.body.by} asked for the end of this deployment.` }, now);
    }
    case 'notice':
      return notify(actor, saidBy(event.message), now);
    case 'show-again':
      return showAgain(actor, event.message);
    case 'ask-again':
      return ring(actor, now);
    case 'cancel-requested':
      return { ...actor, isCancelled: true };
    case 'begun':
      return begin(actor, event.effect, now);
    case 'answered':
      return answer(isWork(event.of) ? { ...actor, work: undefined } : actor, event, now);
    case 'failed':
      return isWork(event.effect.kind)
        ? failWork({ ...actor, work: undefined }, event.effect, event.failure, now)
        : fail(actor, event.effect, event.failure, now);
  }
}

function begin(actor: DeploymentActor, effect: DeploymentEffect, now: number): DeploymentActor {
  const { step, trail } = actor;
  switch (effect.kind) {
    case 'claim':
    case 'plan': {
      const isWaiting = step.kind === 'claim' || step.kind === 'plan';
      return atWork(isWaiting ? beginWait(actor, step, now) : actor, effect.kind);
    }
    case 'explain-wait':
      return beginExplaining(actor);
    case 'show':
      return beginWriting(actor, 'show', effect.presentation);
    case 'verify-press':
      return withProof(actor, effect.press, 'asked');
    case 'record-refusal':
      return { ...actor, trail: { ...trail, refusals: trail.refusals.slice(1), underWay: trail.underWay + 1 } };
    case 'record-unapplied':
      return { ...actor, trail: { ...trail, unapplied: trail.unapplied.slice(1), underWay: trail.underWay + 1 } };
    case 'clean-up':
      return step.kind === 'end' ? withCleaning(actor, effect.hostId, 1) : actor;
    case 'end': {
      const { record, show } = effect.ending;
      const writing =
        show === undefined ? actor : beginWriting(actor, 'end', { ...show, deployment: record.deployment });
      return atWork(writing, effect.kind);
    }
    case 'stop':
      return stopped(actor, effect.what);
    case 'finish':
    case 'wait':
      return actor;
    default:
      return atWork(actor, effect.kind);
  }
}

function atWork(actor: DeploymentActor, kind: Effect['kind']): DeploymentActor {
  return { ...actor, work: { kind, isStopped: false } };
}

function stopped(actor: DeploymentActor, what: Extract<Effect, { readonly kind: 'stop' }>['what']): DeploymentActor {
  if (what === 'show') return stopWriting(actor);
  return actor.work === undefined ? actor : { ...actor, work: { ...actor.work, isStopped: true } };
}

function withCleaning(actor: DeploymentActor, hostId: string, change: 1 | -1): DeploymentActor {
  const { step } = actor;
  if (step.kind !== 'end') return actor;
  const toClean = step.toClean.filter((one) => one !== hostId);
  return { ...actor, step: { ...step, toClean, cleaning: step.cleaning + change } };
}

function answer(actor: DeploymentActor, event: Answered, now: number): DeploymentActor {
  const { step, trail } = actor;
  switch (event.of) {
    case 'find-reviewed':
      return step.kind === 'find-reviewed' ? foundReviewed(actor, event.answer, now) : actor;
    case 'claim':
      return step.kind === 'claim' ? claimed(actor, step, event.answer, now) : actor;
    case 'plan':
      return step.kind === 'plan' ? planned(actor, step, event.answer, now) : actor;
    case 'verify-plan':
      return step.kind === 'verify-plan' ? planProven(actor, step) : actor;
    case 'carry-review':
      return step.kind === 'carry-review' ? reviewCarried(actor, step.plan, event.answer, now) : actor;
    case 'begin':
      return step.kind === 'permission' ? permitted(actor, step, event, now) : actor;
    case 'verify-approval':
      return step.kind === 'verify-approval' ? verified(actor, step.applying, step.audits) : actor;
    case 'find-host':
      return foundHost(actor, event, now);
    case 'apply':
      return step.kind === 'apply' ? applied(actor, step.applying, step.permission.hostId, event.answer, now) : actor;
    case 'inspect':
      return step.kind === 'inspect'
        ? applied(actor, step.applying, step.job.go.body.hostId, event.answer, now)
        : actor;
    case 'end':
      return step.kind === 'end' ? ended(actor, step, event.answer, now) : actor;
    case 'record-end':
      return step.kind === 'end' ? { ...actor, step: { ...step, stage: 'done' } } : actor;
    case 'explain-wait':
      return explained(actor, event.answer, now);
    case 'show':
      return proven(shown(actor, event.answer), event.effect);
    case 'verify-press':
      return withProof(actor, event.effect.press, 'signed');
    case 'record-refusal':
    case 'record-unapplied':
      return { ...actor, trail: { ...trail, underWay: trail.underWay - 1 } };
    case 'clean-up':
      return withCleaning(actor, event.effect.hostId, -1);
  }
}

/** Whoever writes to the forge refuses a plan that no host signed. */
function proven(actor: DeploymentActor, { presentation }: AskingOf<'show'>): DeploymentActor {
  const { step } = actor;
  if (step.kind !== 'verify-plan' || presentation.deployment.progress.plan?.made !== step.plan.made) return actor;
  return planProven(actor, step);
}

/** It may be the plan, or something else that nobody signed: control is asked at once. Of another plan, nobody is told any more. */
function failWriting(
  actor: DeploymentActor,
  { presentation }: AskingOf<'show'>,
  failure: EffectFailure,
  now: number,
): DeploymentActor {
  const made = presentation.deployment.progress.plan?.made;
  const isUnproven = made !== undefined && made !== actor.progress.plan?.made;
  if (!isUnproven || !isForged(failure)) return failShow(actor, failure, now);
  const written = endWriting(actor, 'show', undefined);
  const { step } = written;
  if (step.kind !== 'verify-plan' || step.plan.made !== made) return written;
  return { ...written, step: { ...step, verifyAt: now, isRefused: true } };
}

function foundHost(actor: DeploymentActor, { answer: isThere }: AnsweredOf<'find-host'>, now: number): DeploymentActor {
  const { step } = actor;
  if (step.kind === 'find-host') return hostFound(actor, step.applying, step.permission, isThere, now);
  return step.kind === 'inspect' ? hostOfApplyFound(actor, step, isThere, now) : actor;
}

function failWork(actor: DeploymentActor, effect: Asking, failure: EffectFailure, now: number): DeploymentActor {
  const { step } = actor;
  // The write of the question has proven the plan meanwhile.
  if (effect.kind === 'verify-plan' && step.kind !== 'verify-plan') return actor;
  if (step.kind === 'inspect' && effect.kind === 'find-host' && failure.kind !== 'cancelled')
    return hostOfApplyFound(actor, step, false, now);
  if (step.kind === 'inspect') return failInspection(actor, step, failure, now);
  if (step.kind === 'end') return failOfEnd(actor, effect, failure, now);
  if (step.kind === 'permission') return failPermission(actor, step, failure, now);
  if (step.kind === 'verify-approval') return failVerification(actor, step.applying, failure, now);
  const known = step.kind === 'plan' ? plannerFailed(actor, step, failure, now) : actor;
  // Nothing has begun, or what began returns its outcome, even if it was stopped.
  if (failure.kind === 'cancelled') return { ...known, isCancelled: true };
  switch (step.kind) {
    case 'find-reviewed':
      return planAnew(actor, failure.why, now);
    case 'claim':
      return failClaim(actor, step, failure, now);
    case 'plan':
      return failPlanning(known, failure, now);
    case 'verify-plan':
      // Nobody has said that the plan is not signed: whoever answers next says whether it is.
      if (failure.kind !== 'refused') return { ...actor, step: { ...step, verifyAt: now + actor.durations.promptMs } };
      return failPlanning(actor, failure, now);
    case 'carry-review':
      return reviewCarried(actor, step.plan, undefined, now);
    case 'find-host':
      return hostFound(actor, step.applying, step.permission, true, now);
    case 'apply':
      return effect.kind === 'apply' ? failApply(actor, step.applying, effect.job, failure, now) : actor;
    default:
      return actor;
  }
}

function failOfEnd(actor: DeploymentActor, effect: Asking, failure: EffectFailure, now: number): DeploymentActor {
  const { step } = actor;
  if (step.kind !== 'end') return actor;
  return effect.kind === 'end' ? failEnd(actor, step, failure, now) : { ...actor, step: { ...step, stage: 'done' } };
}

/** Of what goes on beside the work. Whoever began it logs a failure for good. */
function fail(actor: DeploymentActor, effect: Asking, failure: EffectFailure, now: number): DeploymentActor {
  const { trail } = actor;
  switch (effect.kind) {
    case 'explain-wait':
      return explained(actor, undefined, now);
    case 'show':
      return failWriting(actor, effect, failure, now);
    case 'verify-press':
      return failProof(actor, effect.press, failure, now);
    case 'record-refusal':
    case 'record-unapplied':
      return { ...actor, trail: { ...trail, underWay: trail.underWay - 1 } };
    case 'clean-up':
      return withCleaning(actor, effect.hostId, -1);
    default:
      return actor;
  }
}
