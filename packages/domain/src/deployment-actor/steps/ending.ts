/**
 * The end of a deployment. Where its lane hears when the workflow closes, and nothing else is left to do, the workflow returns its end
 * untold, and the lane does the rest. Anywhere else, its lane is told first, so that the next deployment starts, then the forge; then
 * it is recorded.
 */
import { isOutcomeOfHost, withUnknownOutcome } from '../../deployment/rules/unsigned.ts';
import { isJobAuditEvent } from '../../trail/audit-event.ts';
import type { Ended, Ending, Finish } from '../activities.ts';
import { isoOf, isPreview, type DeploymentActor } from '../actor.ts';
import { advanceTo, audit, deploymentOf, enterState } from '../changes.ts';
import { isForged, type EffectFailure } from '../events.ts';
import { failed } from '../progress.ts';
import { endWriting, isEndShown, isOutdated, presentationOfEnd } from '../showing.ts';
import type { EndStep } from '../step.ts';

export function beginEnd(actor: DeploymentActor): DeploymentActor {
  const toClean = actor.hosts.used;
  return withAudits(actor, { kind: 'end', stage: 'tell', audits: [], recordAt: 0, toClean, cleaning: 0 });
}

/** The end has all events that wait for a write. */
function withAudits(actor: DeploymentActor, step: EndStep): DeploymentActor {
  const { trail } = actor;
  return { ...actor, trail: { ...trail, audits: [] }, step: { ...step, audits: [...step.audits, ...trail.audits] } };
}

/** Tells and stores the end in one effect. A write to the forge that is under way may take no newer one beside it. */
export function endingOf(actor: DeploymentActor, step: EndStep): Ending {
  const { deployment: _same, ...show } = presentationOfEnd(actor) ?? {};
  return { ...finishOf(actor, step), ...(presentationOfEnd(actor) && { show }) };
}

export function finishOf(actor: DeploymentActor, { audits }: EndStep): Finish {
  const { repository } = actor.input;
  const { status, times } = actor.progress;
  const deployment = deploymentOf(actor);
  const record = { version: 1, repository, deployment, endedAt: times[status] ?? deployment.receivedAt } as const;
  return { record, audits, deletesPlan: actor.hosts.keepsPlan };
}

/** People are told first, as long as the forge answers at all; then the record names all check runs. */
export function ended(actor: DeploymentActor, step: EndStep, { isStored, shown }: Ended, now: number): DeploymentActor {
  const written = endWriting(actor, 'end', shown);
  if (isStored) return { ...written, step: { ...step, stage: 'done' } };
  return { ...written, step: { ...step, stage: 'record', recordAt: now + actor.durations.tellFirstMs } };
}

/**
 * An answer of a host that nobody signed is not told: then nobody knows how the apply ended. Otherwise, only an operator can make the
 * effect fail for good, and the lane hears of the end from Temporal.
 */
export function failEnd(actor: DeploymentActor, step: EndStep, failure: EffectFailure, now: number): DeploymentActor {
  const isUnsigned = isForged(failure) && isOutcomeOfHost(actor.progress);
  if (!isUnsigned) return ended(actor, step, { isStored: false }, now);
  const written = endWriting(actor, 'end', undefined);
  const { apply: job } = actor.progress.jobs;
  const audits = step.audits.filter((event) => !isJobAuditEvent(event) || event.jobId !== job?.id);
  return withAudits(isPreview(written) ? failUnsigned(written, now) : endUnsigned(written, now), { ...step, audits });
}

function failUnsigned(actor: DeploymentActor, now: number): DeploymentActor {
  const { plan: _unsigned, ...progress } = actor.progress;
  const reason = 'No host of this installation signed this plan';
  return advanceTo({ ...actor, progress }, 'plan-failed', now, { reason, failure: failed(reason) });
}

function endUnsigned(actor: DeploymentActor, now: number): DeploymentActor {
  const { apply: job } = actor.progress.jobs;
  const unknown = enterState(actor, withUnknownOutcome(actor.progress, isoOf(now)), now);
  const shownAnew = { ...unknown, showing: { ...unknown.showing, hoursUnshown: 0 } };
  return job === undefined ? shownAnew : audit(shownAnew, job, 'UNKNOWN');
}

/** Whether the end waits for nothing else before it is recorded. */
export function isToRecord(actor: DeploymentActor, step: EndStep, now: number): boolean {
  return step.stage === 'record' && (step.recordAt <= now || !isOutdated(actor));
}

/** Whether the end is all that is left to tell, and whoever hears of the close tells it. */
export function isReturned(actor: DeploymentActor, step: EndStep): boolean {
  return step.stage === 'tell' && !actor.tellsEnd && !actor.hosts.keepsPlan && isAlone(actor, step);
}

/** Whether the workflow has nothing left to do. A review that is refused meanwhile, or a lock that is lifted, is more to write. */
export function isOver(actor: DeploymentActor, step: EndStep): boolean {
  return step.stage === 'done' && isAlone(actor, step) && isEndShown(actor);
}

/** Whether nothing goes on beside the end. */
function isAlone({ trail, reviewing, showing }: DeploymentActor, step: EndStep): boolean {
  const isClean = step.toClean.length === 0 && step.cleaning === 0;
  const isAudited = trail.underWay === 0 && trail.refusals.length === 0 && trail.unapplied.length === 0;
  return isClean && isAudited && reviewing.undecided.length === 0 && showing.writing === undefined;
}
