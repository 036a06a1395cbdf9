/**
 * Keeps the deployment's check run true while its workflow runs, as its only writer. It writes only differences, and the newest
 * state wins. Buttons, ends and notices are shown at once, anything else only if it lasts. A forge that is slow or away holds up
 * nothing.
 */
import { defined } from '../defined.ts';
import type { Presentation, Taken } from '../deployment/presentation.ts';
import type { ShowAgain } from '../deployment/terraform-workflow.ts';
import { appearance, mayHaveCreated, urgencyOf } from '../lane/rules/check-runs/presentations.ts';
import { isoOf, type DeploymentActor, type Showing, type Writing } from './actor.ts';
import { deploymentOf } from './changes.ts';
import { isForged, type EffectFailure } from './events.ts';

/** The workflow tries to show its end for this many hours. What nobody ordered is never shown. */
const HOURS_TRIED = 24;

/** The pause after an hour in which the forge took nothing. */
const PAUSE_MS = 60_000;

/**
 * Where the forge did not take the last state before it was over, because hundreds of writes go before it, another one is written if it
 * lasts this long. A deployment that got its host is applied by then, and its end has to be written at any rate.
 */
const QUIET_BEHIND_MS = 15_000;

/** Whether the forge shows the end, or has not taken it for so long that the workflow gives up. */
export function isEndShown(actor: DeploymentActor): boolean {
  return !isOutdated(actor) || actor.showing.hoursUnshown >= HOURS_TRIED;
}

export function isOutdated(actor: DeploymentActor): boolean {
  return !hasNothingToShow(actor) && actor.showing.reported.digest !== appearance(wanted(actor));
}

/** A preview that is only in the table of its pull request, or that was cancelled before anybody saw a check run of it. */
function hasNothingToShow({ input, progress, showing }: DeploymentActor): boolean {
  const { preview } = input.deployment;
  if (preview === undefined) return false;
  const isUnseen = showing.checkRuns.length === 0 && showing.reported.creationUncertain === undefined;
  return preview.isOnlyInTable === true || (progress.status === 'cancelled' && isUnseen);
}

function wanted(actor: DeploymentActor): Presentation {
  const { sentence: notice, proof } = actor.showing.notice ?? {};
  const deployment = deploymentOf(withQuestion(actor));
  return { deployment, ...defined({ notice }), ...(proof && { noticeProof: proof }) };
}

/** Whoever writes it verifies the plan first. */
function withQuestion(actor: DeploymentActor): DeploymentActor {
  const { step } = actor;
  return step.kind === 'verify-plan' && !step.isRefused ? { ...actor, progress: step.question } : actor;
}

/** As in a lane. The lane took care of the deployment's first sign before it handed the check run over. */
function isUrgent(actor: DeploymentActor): boolean {
  return urgencyOf(wanted(actor), actor.showing.reported.digest ?? '') === 'now';
}

/** When the check run is written next, in epoch milliseconds; infinite when it is true. */
export function showDueAt(actor: DeploymentActor): number {
  const { writing, differsSince, pausedUntil } = actor.showing;
  if (writing !== undefined || differsSince === undefined) return Infinity;
  return Math.max(pausedUntil, isUrgent(actor) ? 0 : differsSince + quietMsOf(actor));
}

function quietMsOf({ showing, durations: { quietMs } }: DeploymentActor): number {
  return showing.isForgeBehind ? Math.max(quietMs, QUIET_BEHIND_MS) : quietMs;
}

/** Notes since when the check run is out of date. While it is written, nobody knows its content. */
export function noteDifference(actor: DeploymentActor, now: number): DeploymentActor {
  const { showing } = actor;
  const differs = showing.writing === undefined && isOutdated(actor);
  const differsSince = differs ? (showing.differsSince ?? now) : undefined;
  return differsSince === showing.differsSince ? actor : withShowing(actor, { differsSince });
}

/** The newest state, as it is to be written. */
export function presentationOf(actor: DeploymentActor): Presentation {
  const { creationUncertain } = actor.showing.reported;
  return { ...wanted(actor), ...(creationUncertain && { creationUncertain }) };
}

/** Undefined when the effect that tells the end shows nothing. */
export function presentationOfEnd(actor: DeploymentActor): Presentation | undefined {
  return actor.showing.writing !== undefined || hasNothingToShow(actor) ? undefined : presentationOf(actor);
}

/** Until the answer is here, nobody knows the content of the check run. */
export function beginWriting(actor: DeploymentActor, by: Writing['by'], presentation: Presentation): DeploymentActor {
  const reported = mayHaveCreated(presentation) ? { creationUncertain: true as const } : {};
  return withShowing(actor, { reported, writing: { presentation, by, isStopped: false } });
}

/** Whether something newer is to be shown than what is being written. */
export function isWritingOutdated(actor: DeploymentActor): boolean {
  const { writing } = actor.showing;
  if (writing?.by !== 'show' || writing.isStopped) return false;
  return appearance(wanted(actor)) !== appearance(writing.presentation);
}

export function stopWriting(actor: DeploymentActor): DeploymentActor {
  const { writing } = actor.showing;
  return writing === undefined ? actor : withShowing(actor, { writing: { ...writing, isStopped: true } });
}

/** `taken` is undefined when the forge may or may not have taken the write. */
export function endWriting(actor: DeploymentActor, by: Writing['by'], taken: Taken | undefined): DeploymentActor {
  const { writing, isToShowAgain } = actor.showing;
  if (writing?.by !== by) return actor;
  const checkRuns = taken?.kind === 'shown' ? { checkRuns: taken.checkRuns } : {};
  const written = withShowing(actor, { writing: undefined, isToShowAgain: false, ...checkRuns });
  if (isToShowAgain) return writeAnew(written);
  return taken === undefined
    ? written
    : withShowing(written, { reported: { digest: appearance(writing.presentation) } });
}

export function shown(actor: DeploymentActor, taken: Taken): DeploymentActor {
  return withShowing(endWriting(actor, 'show', taken), { hoursUnshown: 0, isForgeBehind: false });
}

export function failShow(actor: DeploymentActor, failure: EffectFailure, now: number): DeploymentActor {
  const written = endWriting(actor, 'show', undefined);
  if (failure.kind === 'cancelled') return withShowing(written, { isForgeBehind: true });
  const hoursUnshown = isForged(failure) ? HOURS_TRIED : written.showing.hoursUnshown + 1;
  return withShowing(written, { hoursUnshown, pausedUntil: now + PAUSE_MS });
}

/** The lane has written the check run meanwhile, or tried to, or knows more about the deployment. */
export function showAgain(actor: DeploymentActor, { unlocked = actor.unlocked, tellsEnd }: ShowAgain): DeploymentActor {
  const known = { ...actor, unlocked, tellsEnd: actor.tellsEnd || tellsEnd === true };
  return known.showing.writing === undefined ? writeAnew(known) : withShowing(known, { isToShowAgain: true });
}

function writeAnew(actor: DeploymentActor): DeploymentActor {
  return withShowing(actor, { reported: { creationUncertain: true } });
}

/** A notice about a state that is over goes once it has been read. */
export function withoutReadNotice(actor: DeploymentActor, now: number): DeploymentActor {
  const until = actor.showing.notice?.until;
  return until === undefined || until > isoOf(now) ? actor : withShowing(actor, { notice: undefined });
}

export function noticeReadAt({ showing: { notice } }: DeploymentActor): number {
  return notice?.until === undefined ? Infinity : Date.parse(notice.until);
}

function withShowing(actor: DeploymentActor, changes: Partial<Showing>): DeploymentActor {
  return { ...actor, showing: { ...actor.showing, ...changes } };
}
