/** Chooses the next step of a lane, or how long it waits. The forge never holds up a deployment: work does not wait for `show`. */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { poolOf } from '../../../root/model.ts';
import { nextRead } from '../state/notices.ts';
import { firstDoubtful } from '../state/doubtful.ts';
import { questionDueAt, nextQuestion } from './looking.ts';
import { nextInTurn } from '../state/running.ts';
import { isUnconfirmed, type LaneActor } from './actor.ts';
import { admissionOf } from './admission.ts';
import { isEmpty } from './decide.ts';
import type { Effect } from './effects.ts';
import { isSettled, recordToStore, settlementOf, settlingDueAt } from './keeping.ts';
import { readingOf } from './opening/reading.ts';
import { returnedOf } from './returned.ts';
import { differences, dueBatch, nextBatchAt, urgentOf } from './showing/differences.ts';
import { handOver } from './showing/reported.ts';

export interface Circumstances {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The history is long enough: the lane goes on in a new run as soon as nothing is under way. */
  readonly isLong: boolean;
}

/** Keeps a run's history far below Temporal's limits. In busy lanes, the server's own suggestion comes first. */
const RUNS_UNTIL_CONTINUED = 500;

export function nextEffect(actor: LaneActor, circumstances: Circumstances): Effect {
  const isLeaving = isTimeToContinue(actor, circumstances);
  const effect = isLeaving ? leaving(actor, circumstances) : nextOf(actor, circumstances);
  return effect ?? { kind: 'wait', until: nextDueAt(actor, circumstances) };
}

function nextOf(actor: LaneActor, circumstances: Circumstances): Effect | undefined {
  const { now } = circumstances;
  return (
    passOnOf(actor) ??
    workOf(actor, now) ??
    nextQuestion(actor, now) ??
    showOf(actor, now) ??
    endOf(actor, circumstances)
  );
}

/** A lane that does not know its record begins no new run, which would not know the record either. */
function isTimeToContinue(actor: LaneActor, { isLong }: Circumstances): boolean {
  const { reading, runs, isCancelled } = actor;
  return reading === undefined && !isUnconfirmed(actor) && !isCancelled && (isLong || runs >= RUNS_UNTIL_CONTINUED);
}

/** Begins nothing new. But while the forge is slow, or a message waits for its terraform workflow, deployments go on. */
function leaving(actor: LaneActor, { now }: Circumstances): Effect | undefined {
  if (isAtRest(actor)) return { kind: 'continue-as-new' };
  const isHeldUp = actor.showing.sending !== undefined || actor.passOns.length > 0;
  return passOnOf(actor) ?? (isHeldUp ? (workOf(actor, now) ?? nextQuestion(actor, now)) : startOf(actor));
}

/** Whether nothing is under way: an answer that is still on its way would be lost with this run. */
function isAtRest({ work, showing, stage, passOns, passingOn }: LaneActor): boolean {
  const isStarting = stage.kind === 'start' || stage.kind === 'starting';
  const isPassingOn = passOns.length > 0 || passingOn.length > 0;
  return work === undefined && showing.sending === undefined && !isStarting && !isPassingOn;
}

/** A lane that was away for long may have to ask about a thousand ended deployments. */
const PASSED_ON_AT_ONCE = 20;

/** A message is sent once its terraform workflow is known to exist, or to have existed. */
function passOnOf({ passOns, passingOn, stage, state }: LaneActor): Effect | undefined {
  if (passingOn.length >= PASSED_ON_AT_ONCE) return undefined;
  const isAwaited = stage.kind === 'starting' || stage.kind === 'find';
  const passOn = passOns.find(({ deploymentId }) => !isAwaited || deploymentId !== state.running?.id);
  return passOn && { kind: 'pass-on', passOn };
}

function workOf(actor: LaneActor, now: number): Effect | undefined {
  const { reading, stage, work } = actor;
  if (work !== undefined) return undefined;
  if (reading !== undefined) return reading.dueAt <= now ? readingOf(reading) : undefined;
  return (
    returnedOf(actor, now) ??
    doubtOf(actor, now) ??
    popOf(actor, now) ??
    startOf(actor) ??
    askOf(actor, now) ??
    settleOf(actor, now, stage.kind === 'admit')
  );
}

function doubtOf(actor: LaneActor, now: number): Effect | undefined {
  const next = actor.doubts.dueAt <= now ? doubtful(actor) : undefined;
  return next && { kind: 'find', deploymentId: next.id, pool: poolOf(next.root) };
}

function doubtful({ state, doubts }: LaneActor): Deployment | undefined {
  return firstDoubtful(state.queue, doubts.ids);
}

function popOf(actor: LaneActor, now: number): Effect | undefined {
  const { state, stage, isCancelled } = actor;
  if (stage.kind === 'admit' && stage.isAtGate === true && stage.dueAt <= now) return { kind: 'pop' };
  const isFree = stage.kind === 'none' && state.running === undefined && !isCancelled && doubtful(actor) === undefined;
  return isFree && nextInTurn(state, now) !== undefined ? { kind: 'pop' } : undefined;
}

function startOf(actor: LaneActor): Effect | undefined {
  const { stage, state } = actor;
  if (stage.kind !== 'start' || state.running === undefined) return undefined;
  return { ...handOver(actor, state.running), ...stage };
}

function askOf(actor: LaneActor, now: number): Effect | undefined {
  const { stage, state } = actor;
  if (state.running === undefined) return undefined;
  const { id: deploymentId, root } = state.running;
  if (stage.kind === 'find' && stage.dueAt <= now) return { kind: 'find', deploymentId, pool: poolOf(root) };
  if (stage.kind !== 'admit' || stage.dueAt > now) return undefined;
  const admission = admissionOf(actor, state.running, recordToStore(actor));
  // Where git is asked, others would wait for it as well.
  const show = admission.contains === undefined ? urgentOf(actor, deploymentId) : undefined;
  return { kind: 'admit', deploymentId, admission: { ...admission, ...defined({ show }) } };
}

/** The next admission stores the changes as well, unless it is blocked. */
function settleOf(actor: LaneActor, now: number, isAdmitting: boolean): Effect | undefined {
  if (isAdmitting && !isBlocked(actor)) return undefined;
  return settlingDueAt(actor) <= now ? { kind: 'settle', settlement: settlementOf(actor) } : undefined;
}

function isBlocked({ state }: LaneActor): boolean {
  return state.running?.progress.status === 'blocked';
}

function showOf(actor: LaneActor, now: number): Effect | undefined {
  if (actor.showing.sending !== undefined) return undefined;
  const presentations = dueBatch(actor, differences(actor), now);
  return presentations.length === 0 ? undefined : { kind: 'show', presentations };
}

/** About a minute, with the waits in between: somebody waits for the lane to end. */
const LAST_TRIES = 6;

/** Ends an idle or cancelled lane once all is told and stored. Messages that came after a request to cancel are kept. */
function endOf(actor: LaneActor, { now }: Circumstances): Effect | undefined {
  const { isCancelled, state, showing, idleSince, idleForMs } = actor;
  if (!isAtRest(actor) || state.running !== undefined) return undefined;
  const isTold = differences(actor).length === 0 || (isCancelled && showing.failures >= LAST_TRIES);
  if (actor.reading !== undefined || !isTold || !isSettled(actor)) return undefined;
  if (isCancelled) return isEmpty(actor) ? { kind: 'finish', how: 'cancelled' } : { kind: 'continue-as-new' };
  return idleSince !== undefined && idleSince + idleForMs <= now ? { kind: 'finish', how: 'idle' } : undefined;
}

/** When the next thing is due that needs no event, in epoch milliseconds; infinite when nothing is. */
function nextDueAt(actor: LaneActor, circumstances: Circumstances): number {
  const { reading, stage, work, showing, idleSince, idleForMs, state } = actor;
  const isLeaving = isTimeToContinue(actor, circumstances);
  const doubts = doubtful(actor) === undefined ? [] : [actor.doubts.dueAt];
  const retries = reading !== undefined ? [reading.dueAt] : 'dueAt' in stage ? [stage.dueAt, ...doubts] : doubts;
  const works = work === undefined ? [...retries, settlingDueAt(actor)] : [];
  const shows = showing.sending === undefined && !isLeaving ? [nextBatchAt(actor, differences(actor))] : [];
  const readAt = nextRead(state.notices);
  const others = [
    questionDueAt(actor),
    ...(readAt === undefined ? [] : [Date.parse(readAt)]),
    ...(idleSince === undefined ? [] : [idleSince + idleForMs]),
  ];
  const due = [...works, ...shows, ...others].filter((at) => at > circumstances.now);
  return Math.min(...due, Infinity);
}
