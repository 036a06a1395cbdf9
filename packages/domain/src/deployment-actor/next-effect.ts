/** Chooses the next effect of a deployment, or how long it waits. */
import type { ReturnedEnd } from '../lane/activities.ts';
import { isPreview, type DeploymentActor } from './actor.ts';
import { planJobOf } from './changes.ts';
import type { DeploymentEffect, Effect } from './effects.ts';
import { nextUnproven } from './presses/presses.ts';
import { isWritingOutdated, noticeReadAt, presentationOf, showDueAt } from './showing.ts';
import { applyJobOf } from './steps/applying.ts';
import { claimShownAt, waitOf } from './steps/waiting.ts';
import { endingOf, finishOf, isOver, isReturned, isToRecord } from './steps/ending.ts';
import { beginningOf } from './steps/permission.ts';
import { isToStop } from './work.ts';

/** `now` is in epoch milliseconds. */
export function nextDeploymentEffect(actor: DeploymentActor, now: number): DeploymentEffect {
  return (
    stopOf(actor) ??
    workOf(actor, now) ??
    besideOf(actor, now) ??
    finishedOf(actor) ?? { kind: 'wait', ...nextDue(actor, now) }
  );
}

function stopOf(actor: DeploymentActor): Effect | undefined {
  if (isToStop(actor)) return { kind: 'stop', what: 'work' };
  return isWritingOutdated(actor) ? { kind: 'stop', what: 'show' } : undefined;
}

function workOf(actor: DeploymentActor, now: number): Effect | undefined {
  const { step, work, reviewing } = actor;
  if (work !== undefined) return undefined;
  switch (step.kind) {
    case 'find-reviewed':
      return { kind: 'find-reviewed' };
    case 'claim':
      return { kind: 'claim' };
    case 'plan':
      return { kind: 'plan', plans: isPreview(actor) ? 'preview' : 'deployment', job: planJobOf(actor, step.jobId) };
    case 'verify-plan':
      return step.verifyAt <= now ? { kind: 'verify-plan', plan: step.plan } : undefined;
    case 'carry-review':
      return reviewing.confirmed && { kind: 'carry-review', plan: step.plan, confirmed: reviewing.confirmed };
    case 'permission':
      return { kind: 'begin', beginning: beginningOf(actor, step), isOneAttempt: step.asks === 'at once' };
    case 'verify-approval':
      return reviewing.approval && { kind: 'verify-approval', approval: reviewing.approval };
    case 'find-host':
      return { kind: 'find-host', hostId: step.permission.hostId, isPatient: false };
    case 'apply':
      return { kind: 'apply', beginMs: step.beginMs, job: applyJobOf(actor, step.applying, step.permission) };
    case 'inspect':
      return step.asks === 'outcome'
        ? { kind: 'inspect', job: step.job }
        : { kind: 'find-host', hostId: step.job.go.body.hostId, isPatient: true };
    case 'end':
      if (isReturned(actor, step)) return finish(actor, { untold: step.audits });
      if (step.stage === 'tell') return { kind: 'end', ending: endingOf(actor, step) };
      return isToRecord(actor, step, now) ? { kind: 'record-end', finish: finishOf(actor, step) } : undefined;
    case 'to':
    case 'review':
    case 'gate':
    case 'pause':
      return undefined;
  }
}

/** What goes on beside the work, and holds up nothing but the end. */
function besideOf(actor: DeploymentActor, now: number): Effect | undefined {
  const { step, trail } = actor;
  const press = nextUnproven(actor);
  if (press !== undefined) return { kind: 'verify-press', press };
  const [refusal] = trail.refusals;
  if (refusal !== undefined) return { kind: 'record-refusal', refusal };
  const [unapplied] = trail.unapplied;
  if (unapplied !== undefined) return { kind: 'record-unapplied', unapplied };
  const hostId = step.kind === 'end' ? step.toClean[0] : undefined;
  if (hostId !== undefined) return { kind: 'clean-up', hostId };
  if (explainAt(actor) <= now) return { kind: 'explain-wait' };
  return showDueAt(actor) <= now ? { kind: 'show', presentation: presentationOf(actor) } : undefined;
}

function explainAt(actor: DeploymentActor): number {
  const wait = waitOf(actor);
  return wait === undefined || wait.isAsking ? Infinity : wait.explainAt;
}

function finishedOf(actor: DeploymentActor): Effect | undefined {
  const { step } = actor;
  return step.kind === 'end' && isOver(actor, step) ? finish(actor) : undefined;
}

function finish({ progress, showing }: DeploymentActor, untold: Pick<ReturnedEnd, 'untold'> = {}): Effect {
  const { checkRuns, reported, notice } = showing;
  return { kind: 'finish', result: { progress, checkRuns, reported, ...(notice && { notice }), ...untold } };
}

/** In epoch milliseconds, with what Temporal shows of its timer. */
interface Due {
  readonly until: number;
  readonly why: string;
}

const NOTHING: Due = { until: Infinity, why: 'nothing is due' };

/** What is due next by itself, without an event. Every wait of a deployment has its bound here. */
function nextDue(actor: DeploymentActor, now: number): Due {
  const due: readonly Due[] = [
    boundOf(actor),
    { until: claimShownAt(actor), why: 'the wait for a host is shown' },
    { until: explainAt(actor), why: 'why no host takes it is asked' },
    { until: showDueAt(actor), why: 'the check run is written' },
    { until: noticeReadAt(actor), why: 'the notice has been read' },
  ];
  return due
    .filter(({ until }) => until > now)
    .reduce((first, one) => (one.until < first.until ? one : first), NOTHING);
}

function boundOf(actor: DeploymentActor): Due {
  const { step } = actor;
  switch (step.kind) {
    case 'verify-plan':
      return { until: step.verifyAt, why: 'who signed the plan is asked' };
    case 'review':
      return { until: step.until, why: 'the review ends' };
    case 'gate':
      return { until: step.askAt, why: 'the closed gate is asked again' };
    case 'pause':
      return { until: step.until, why: 'it is tried again' };
    case 'end':
      return step.stage === 'record' ? { until: step.recordAt, why: 'its end is recorded' } : NOTHING;
    default:
      return NOTHING;
  }
}
