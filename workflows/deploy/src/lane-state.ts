/**
 * The state of a lane and how messages and events change it. Plain data in, plain data out: the workflow waits, calls
 * and records; everything that is decided is decided here and in the files that this one asks.
 */
import {
  hasEnded,
  type Cancellation,
  type CheckRunRef,
  type Deployment,
  type DeploymentRequest,
  type EndedStatus,
  type Latest,
  type LiftedLock,
  type Lock,
  type Notices,
  type Progress,
  type Seen,
  type TerraformState,
} from '@nereid/contracts';
import { withEnded } from './ended.ts';
import { describeLock, hasHappened, lockWhenEnded, lockWhenPopped } from './lock.ts';
import { afterState, withNotice } from './notices.ts';
import { advance, advanced, enteredAt, queuedProgress } from './progress.ts';
import { emptyQueue, enqueue, first, inOrder, length, putBack, remove, update, type Queue } from './queue.ts';
import { isSeen, nothingSeen, remember } from './seen.ts';

export interface LaneState {
  readonly latest: Latest | undefined;
  readonly lock: Lock | undefined;
  /** The last locks that somebody lifted, newest last. */
  readonly lifted: readonly LiftedLock[];
  readonly running: Deployment | undefined;
  readonly queue: Queue;
  readonly seen: Seen;
  /** Over, newest last: those that somebody does not know of yet, and the last ones for the lane's page. */
  readonly ended: readonly Deployment[];
  readonly notices: Notices;
}

export const newLane: LaneState = {
  latest: undefined,
  lock: undefined,
  lifted: [],
  running: undefined,
  queue: emptyQueue,
  seen: nothingSeen,
  ended: [],
  notices: {},
};

/** A revision came in. What was seen before changes nothing; what finds the queue full ends at once. */
export function receive(state: LaneState, request: DeploymentRequest, id: string, at: string): LaneState {
  if (isKnown(state, request)) return state;
  const deployment: Deployment = { ...request, id, receivedAt: at, progress: queuedProgress(at), checkRuns: [] };
  const known = { ...state, seen: remember(state.seen, request) };

  const enqueued = enqueue(known.queue, deployment);
  if (enqueued.kind === 'full') {
    const sentence = `The queue of this root is full: ${length(known.queue)} deployments wait. Deploy again when it is shorter.`;
    return withEnded(known, [advanced(deployment, 'refused', at, sentence)], at);
  }
  return { ...known, queue: enqueued.queue };
}

/** Seen lately, or still here, however much was seen since. */
function isKnown(state: LaneState, request: DeploymentRequest): boolean {
  return isSeen(state.seen, request) || deploymentsOf(state).some(({ requestId }) => requestId === request.requestId);
}

/**
 * The running deployment's terraform workflow said how far it has come, its end too: it runs on until that workflow has
 * closed. A word from another one, or one that was overtaken by a later, is ignored.
 */
export function takeProgress(state: LaneState, message: TerraformState, at: string): LaneState {
  const { running } = state;
  if (running?.id !== message.deploymentId || hasEnded(running.progress.status)) return state;
  if (enteredAt(message.progress) < enteredAt(running.progress)) return state;
  const notices = afterState(state.notices, running.id, at);
  return { ...state, notices, running: { ...running, progress: joined(running, message.progress) } };
}

export function takeNotice(state: LaneState, deploymentId: string, sentence: string, at: string): LaneState {
  if (find(state, deploymentId) === undefined) return state;
  return { ...state, notices: withNotice(state.notices, deploymentId, sentence, at) };
}

/** The deployment whose turn it is becomes the running one. The state as it was, if nobody's turn it is. */
export function pop(state: LaneState, at: string): LaneState {
  const next = first(state.queue, state.lock);
  if (state.running !== undefined || next === undefined) return state;
  const running = { ...next, ...(state.lock !== undefined && { foundLock: state.lock }) };
  return {
    ...state,
    queue: remove(state.queue, new Set([next.id])),
    lock: lockWhenPopped(next, state.lock, at),
    running: advanced(running, 'preparing', at),
  };
}

/** The running deployment never started: back to the front. */
export function giveBack(state: LaneState, at: string): LaneState {
  if (state.running === undefined) return state;
  const { foundLock, ...waiting } = state.running;
  const lock = state.lock?.deploymentId === waiting.id ? foundLock : state.lock;
  return { ...state, lock, running: undefined, queue: putBack(state.queue, advanced(waiting, 'queued', at)) };
}

/** What runs is held up by something outside; `undefined` says that it goes on. */
export function block(state: LaneState, reason: string | undefined, at: string): LaneState {
  const { running } = state;
  if (running === undefined) return state;
  if (reason === undefined && running.progress.status !== 'blocked') return state;
  if (reason !== undefined && running.progress.reason === reason) return state;
  const status = reason === undefined ? 'preparing' : 'blocked';
  return { ...state, running: advanced(running, status, at, reason) };
}

/** What a person has to know before they confirm the running deployment's plan. */
export function warn(state: LaneState, warning: string): LaneState {
  return state.running === undefined ? state : { ...state, running: { ...state.running, warning } };
}

/** The running deployment ended. */
export function end(state: LaneState, progress: Progress, at: string): LaneState {
  const { running } = state;
  if (running === undefined || !hasEnded(progress.status)) return state;
  const ended = { ...running, progress: joined(running, progress) };
  const lock = lockWhenEnded(ended, progress.status, state.lock, at);
  const latest = hasHappened(progress.status) ? latestOf(ended, at) : state.latest;
  return withEnded({ ...state, running: undefined, lock, latest }, [ended], at);
}

/** The running deployment ended without Terraform: skipped, refused, cancelled, or lost from sight. */
export function endWith(state: LaneState, status: EndedStatus, reason: string, at: string): LaneState {
  return state.running === undefined ? state : end(state, advance(state.running.progress, status, at, reason), at);
}

/** Check runs of a deployment were created or written. */
export function takeCheckRuns(state: LaneState, deploymentId: string, checkRuns: readonly CheckRunRef[]): LaneState {
  const change = (deployment: Deployment): Deployment => ({ ...deployment, checkRuns });
  const isIt = ({ id }: Deployment) => id === deploymentId;
  // Parts that do not change stay the same objects: what is the same is not stored again.
  if (state.running?.id === deploymentId) return { ...state, running: change(state.running) };
  if (inOrder(state.queue).some(isIt)) return { ...state, queue: update(state.queue, deploymentId, change) };
  return { ...state, ended: state.ended.map((deployment) => (isIt(deployment) ? change(deployment) : deployment)) };
}

/** Somebody asked for the end of the running deployment. The first who asked is named. */
export function askToEnd(state: LaneState, cancellation: Cancellation): LaneState {
  const { running } = state;
  if (running === undefined || running.cancellation !== undefined) return state;
  const asked = { ...state, running: { ...running, cancellation } };
  return takeNotice(asked, running.id, `@${cancellation.by} asked for the end of this deployment.`, cancellation.at);
}

export function find(state: LaneState, deploymentId: string): Deployment | undefined {
  return deploymentsOf(state).find(({ id }) => id === deploymentId);
}

/** All that it knows: what runs, what waits, what ended. */
export function deploymentsOf({ running, queue, ended }: LaneState): readonly Deployment[] {
  return [...(running ? [running] : []), ...inOrder(queue), ...ended];
}

/** Why nothing runs although something waits; undefined when that is not so. */
export function waitsFor(state: LaneState): string | undefined {
  if (state.running !== undefined || inOrder(state.queue).length === 0 || state.lock === undefined) return undefined;
  return `locked by ${describeLock(state.lock)}`;
}

/** The lane knows when a deployment was queued, the terraform workflow what came after. */
function joined(deployment: Deployment, progress: Progress): Progress {
  return { ...progress, times: { ...deployment.progress.times, ...progress.times } };
}

function latestOf(deployment: Deployment, at: string): Latest {
  return {
    deploymentId: deployment.id,
    revision: deployment.revision.sha,
    trigger: deployment.trigger,
    status: deployment.progress.status,
    at,
  };
}
