/** The running deployment: whose turn it is, how it begins, is held up and ends. Pure. */
import { defined } from '../../../defined.ts';
import type { Cancel, Deployment } from '../../../deployment/model.ts';
import type { Progress } from '../../../deployment/progress.ts';
import { hasEnded, type EndedStatus } from '../../../deployment/status.ts';
import type { WaitAtGate } from '../../../deployment/wait-reason.ts';
import type { Signed } from '../../../signed.ts';
import { laterOf, latestOf } from './latest.ts';
import { advance, advanced } from '../../../deployment/rules/progress.ts';
import { describeLock } from '../../../deployment/rules/lock.ts';
import type { OrderFacts } from '../../../gates/order.ts';
import { isDoorOpen } from '../../../gates/gates.ts';
import { hasHappened, lockWhenEnded, lockWhenPopped } from '../queue/lock.ts';
import { first, inOrder, putBack, remove } from '../queue/queue.ts';
import { withEnded } from './ended.ts';
import { addNotice, isHeld, type LaneState } from './lane-state.ts';

/** The deployment whose turn it is, if nothing runs. `now` is in epoch milliseconds. */
export function nextInTurn(state: Pick<LaneState, 'queue' | 'lock' | 'ready'>, now: number): Deployment | undefined {
  const { queue, lock } = state;
  // Control asks the others when the deployment is admitted: it knows storage and the server's file.
  const ofControl = { stop: { stops: [] }, window: {}, soak: {}, budget: {} };
  const isOpen = (deployment: Deployment) =>
    isDoorOpen('plan', { turn: { deployment, lock }, order: orderOf(state, deployment), ...ofControl }, now);
  return first(queue, isOpen, (deployment) => isHeld(state, deployment));
}

function orderOf(state: Pick<LaneState, 'ready'>, deployment: Deployment): OrderFacts {
  if (!isHeld(state, deployment)) return { kind: 'ready' };
  return { kind: 'waiting', sentence: deployment.progress.reason ?? 'other lanes go first' };
}

/** The deployment whose turn it is becomes the running one. If there is none, nothing changes. */
export function pop(state: LaneState, at: string): LaneState {
  const next = nextInTurn(state, Date.parse(at));
  return state.running !== undefined || next === undefined ? state : begin(state, next, at);
}

/** A terraform workflow says that this waiting deployment ran: Temporal, or this record, is out of date. */
export function beginAnyway(state: LaneState, deploymentId: string, at: string): LaneState {
  const waiting = inOrder(state.queue).find(({ id }) => id === deploymentId);
  return state.running !== undefined || waiting === undefined ? state : begin(state, waiting, at);
}

function begin(state: LaneState, next: Deployment, at: string): LaneState {
  const running = { ...next, ...defined({ foundLock: state.lock }) };
  return {
    ...state,
    queue: remove(state.queue, new Set([next.id])),
    lock: lockWhenPopped(next, state.lock, at),
    running: advanced(running, 'preparing', at),
  };
}

/** The running deployment never started: it goes back to the front of the queue. */
export function giveBack(state: LaneState, at: string): LaneState {
  if (state.running === undefined) return state;
  const { foundLock, ...waiting } = state.running;
  const lock = state.lock?.deploymentId === waiting.id ? foundLock : state.lock;
  return { ...state, lock, running: undefined, queue: putBack(state.queue, advanced(waiting, 'queued', at)) };
}

/** Something outside holds up the running deployment; without a reason, it goes on. */
export function block(state: LaneState, reason: string | undefined, at: string): LaneState {
  const { running } = state;
  if (running === undefined) return state;
  if (reason === undefined && running.progress.status !== 'blocked') return state;
  if (reason !== undefined && running.progress.reason === reason) return state;
  const status = reason === undefined ? 'preparing' : 'blocked';
  return { ...state, running: advanced(running, status, at, reason) };
}

/** The running deployment is blocked by a gate. */
export function waitAtGate(state: LaneState, waitsFor: WaitAtGate): LaneState {
  const { running } = state;
  if (running === undefined) return state;
  return { ...state, running: { ...running, progress: { ...running.progress, waitsFor } } };
}

/** Sets the sentence that a person has to read before they confirm the running deployment's plan. */
export function warn(state: LaneState, warning: string): LaneState {
  return state.running === undefined ? state : { ...state, running: { ...state.running, warning } };
}

/** The running deployment ended. */
export function end(state: LaneState, progress: Progress, at: string): LaneState {
  const { running } = state;
  if (running === undefined || !hasEnded(progress.status)) return state;
  return endedAs({ ...state, running: undefined }, running, progress, at);
}

/** A deployment that was said to have ended did end, and otherwise. */
export function endAgain(state: LaneState, deploymentId: string, progress: Progress, at: string): LaneState {
  const said = state.ended.find(({ id }) => id === deploymentId);
  if (said === undefined || !hasEnded(progress.status)) return state;
  return endedAs({ ...state, ended: state.ended.filter((one) => one !== said) }, said, progress, at);
}

function endedAs(state: LaneState, deployment: Deployment, progress: Progress, at: string): LaneState {
  const { status } = progress;
  if (!hasEnded(status)) return state;
  const ended = { ...deployment, progress: joined(deployment, progress) };
  const lock = lockWhenEnded(ended, status, state.lock, at);
  const latest = hasHappened(status) ? laterOf(state.latest, latestOf(ended, at)) : state.latest;
  return withEnded({ ...state, lock, latest }, [ended], at);
}

/** The running deployment ended without Terraform: skipped, refused or cancelled. */
export function endWith(state: LaneState, status: EndedStatus, reason: string, at: string): LaneState {
  return state.running === undefined ? state : end(state, advance(state.running.progress, status, at, reason), at);
}

/** Somebody asked for the end of the running deployment. Only the first person is named. */
export function askToEnd(state: LaneState, cancellation: Signed<Cancel>, at: string): LaneState {
  const { running } = state;
  if (running === undefined || running.cancellation !== undefined) return state;
  const asked = { ...state, running: { ...running, cancellation } };
  const sentence = `@${cancellation.body.by} asked for the end of this deployment.`;
  return addNotice(asked, running.id, { sentence }, at);
}

/** Why nothing runs although deployments wait, as a clause; undefined otherwise. A gate that opens by itself in time is no reason. */
export function waitsFor(state: LaneState): string | undefined {
  const [front] = inOrder(state.queue);
  if (state.running !== undefined || front === undefined) return undefined;
  if (state.lock !== undefined) return `locked by ${describeLock(state.lock)}`;
  return nextInTurn(state, Infinity) === undefined ? front.progress.reason : undefined;
}

/** The lane knows when a deployment was queued; the terraform workflow knows the later times. */
function joined(deployment: Deployment, progress: Progress): Progress {
  return { ...progress, times: { ...deployment.progress.times, ...progress.times } };
}
