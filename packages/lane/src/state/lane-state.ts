/**
 * The state of a lane, and how messages and events change it. Plain data in, plain data out: the workflow waits, calls
 * and records; all decisions are made here and in the files that this one imports.
 */
import {
  hasEnded,
  type Cancellation,
  type CheckRunRef,
  type Deployment,
  type DeploymentRequest,
  type EndedStatus,
  type Judged,
  type Latest,
  type LiftedLock,
  type Lock,
  type Notices,
  type Progress,
  type Said,
  type Seen,
  type Undeployed,
} from '@nereid/contracts';
import { withEnded } from '../deployment/ended.ts';
import { isHeld } from '../rollout/dependents.ts';
import { describeLock, hasHappened, lockWhenEnded, lockWhenPopped } from '../queue/lock.ts';
import { unlessLifted } from '../deployment/unlock.ts';
import { isOfBranch } from '../deployment/undeployed.ts';
import { withNotice } from '../check-runs/notices.ts';
import { advance, advanced, queuedProgress } from '../deployment/progress.ts';
import { emptyQueue, enqueue, first, inOrder, length, putBack, remove, update, type Queue } from '../queue/queue.ts';
import { isSeen, nothingSeen, remember } from '../queue/seen.ts';

export interface LaneState {
  readonly latest: Latest | undefined;
  readonly lock: Lock | undefined;
  /** The last locks that somebody lifted, newest last. */
  readonly lifted: readonly LiftedLock[];
  readonly running: Deployment | undefined;
  readonly queue: Queue;
  readonly seen: Seen;
  /** The last judged requests, with their answers, oldest first. */
  readonly judged: readonly Judged[];
  /** Ended deployments, newest last: those that GitHub or storage does not know of yet, and the last ones for the page. */
  readonly ended: readonly Deployment[];
  readonly undeployed: readonly Undeployed[];
  readonly notices: Notices;
  /** Waiting deployments whose dependencies in other lanes are done. Not stored: a lane that starts asks again. */
  readonly ready: readonly string[];
}

export const newLane: LaneState = {
  latest: undefined,
  lock: undefined,
  lifted: [],
  running: undefined,
  queue: emptyQueue,
  seen: nothingSeen,
  judged: [],
  ended: [],
  undeployed: [],
  notices: {},
  ready: [],
};

/** A revision came in. A request that was seen before changes nothing; one that finds the queue full ends at once. */
export function receive(state: LaneState, request: DeploymentRequest, id: string, at: string): LaneState {
  if (isKnown(state, request)) return state;
  const deployment: Deployment = { ...request, id, receivedAt: at, progress: queuedProgress(at), checkRuns: [] };
  const known = { ...state, lock: lockOf(state, request), seen: remember(state.seen, request) };

  const enqueued = enqueue(known.queue, deployment);
  if (enqueued.kind === 'full') {
    const sentence = `The queue of this root is full: ${length(known.queue)} deployments wait. Deploy again when it is shorter.`;
    return withEnded(known, [advanced(deployment, 'refused', at, sentence)], at);
  }
  return { ...known, queue: enqueued.queue };
}

/** A lane that never deployed has the lock of the lane that its root had under another name, until somebody lifts it. */
function lockOf({ lock, latest, lifted }: LaneState, { formerly }: DeploymentRequest): Lock | undefined {
  return lock ?? (latest === undefined ? unlessLifted(formerly?.lock, lifted) : undefined);
}

/** Whether the request was seen lately, or its deployment is still here, however much was seen since. */
function isKnown(state: LaneState, request: DeploymentRequest): boolean {
  return isSeen(state.seen, request) || deploymentsOf(state).some(({ requestId }) => requestId === request.requestId);
}

export function addNotice(state: LaneState, deploymentId: string, said: Said, at: string): LaneState {
  if (find(state, deploymentId) === undefined) return state;
  return { ...state, notices: withNotice(state.notices, deploymentId, said, at) };
}

/** The deployment whose turn it is, if nothing runs. */
export function turnOf(state: Pick<LaneState, 'queue' | 'lock' | 'ready'>): Deployment | undefined {
  return first(state.queue, state.lock, (deployment) => isHeld(state, deployment));
}

/** The deployment whose turn it is becomes the running one. If there is none, nothing changes. */
export function pop(state: LaneState, at: string): LaneState {
  const next = turnOf(state);
  return state.running !== undefined || next === undefined ? state : begin(state, next, at);
}

/** A terraform workflow says that this waiting deployment ran: Temporal, or this record, is out of date. */
export function beginAnyway(state: LaneState, deploymentId: string, at: string): LaneState {
  const waiting = inOrder(state.queue).find(({ id }) => id === deploymentId);
  return state.running !== undefined || waiting === undefined ? state : begin(state, waiting, at);
}

function begin(state: LaneState, next: Deployment, at: string): LaneState {
  const running = { ...next, ...(state.lock !== undefined && { foundLock: state.lock }) };
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

/** Sets the sentence that a person has to read before they confirm the running deployment's plan. */
export function warn(state: LaneState, warning: string): LaneState {
  return state.running === undefined ? state : { ...state, running: { ...state.running, warning } };
}

/** The running deployment ended. */
export function end(state: LaneState, progress: Progress, at: string): LaneState {
  const { running } = state;
  if (running === undefined || !hasEnded(progress.status)) return state;
  const ended = { ...running, progress: joined(running, progress) };
  const lock = lockWhenEnded(ended, progress.status, state.lock, at);
  const latest = hasHappened(progress.status) ? laterOf(state.latest, latestOf(ended, at)) : state.latest;
  return withEnded({ ...state, running: undefined, lock, latest }, [ended], at);
}

/** The running deployment ended without Terraform: skipped, refused or cancelled. */
export function endWith(state: LaneState, status: EndedStatus, reason: string, at: string): LaneState {
  return state.running === undefined ? state : end(state, advance(state.running.progress, status, at, reason), at);
}

/** Check runs of a deployment were created or written; the newest is the last one. */
export function recordCheckRuns(state: LaneState, deploymentId: string, checkRuns: readonly CheckRunRef[]): LaneState {
  const change = (deployment: Deployment): Deployment => ({ ...deployment, checkRuns });
  const isIt = ({ id }: Deployment) => id === deploymentId;
  // Unchanged parts stay the same objects: they are not stored again.
  if (state.running?.id === deploymentId) return { ...state, running: change(state.running) };
  if (inOrder(state.queue).some(isIt)) return { ...state, queue: update(state.queue, deploymentId, change) };
  return { ...state, ended: state.ended.map((deployment) => (isIt(deployment) ? change(deployment) : deployment)) };
}

/** Somebody asked for the end of the running deployment. Only the first person is named. */
export function askToEnd(state: LaneState, cancellation: Cancellation): LaneState {
  const { running } = state;
  if (running === undefined || running.cancellation !== undefined) return state;
  const asked = { ...state, running: { ...running, cancellation } };
  const sentence = `@${cancellation.by} asked for the end of this deployment.`;
  return addNotice(asked, running.id, { sentence }, cancellation.at);
}

export function find(state: LaneState, deploymentId: string): Deployment | undefined {
  return deploymentsOf(state).find(({ id }) => id === deploymentId);
}

/** All deployments that the lane knows: running, waiting and ended. */
export function deploymentsOf({ running, queue, ended }: LaneState): readonly Deployment[] {
  return [...(running ? [running] : []), ...inOrder(queue), ...ended];
}

/** Why nothing runs although deployments wait, as a clause; undefined otherwise. */
export function waitsFor(state: LaneState): string | undefined {
  const [front] = inOrder(state.queue);
  if (state.running !== undefined || front === undefined) return undefined;
  if (state.lock !== undefined) return `locked by ${describeLock(state.lock)}`;
  return turnOf(state) === undefined ? front.progress.reason : undefined;
}

/** The lane knows when a deployment was queued; the terraform workflow knows the later times. */
function joined(deployment: Deployment, progress: Progress): Progress {
  return { ...progress, times: { ...deployment.progress.times, ...progress.times } };
}

/**
 * The one that began later of two deployments; at the same time, the second. After Temporal was restored from a backup, a
 * deployment may end after others that began later. A manual one that is no re-run keeps the merge before it.
 */
export function laterOf(one: Latest | undefined, other: Latest | undefined): Latest | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const [earlier, later] = one.at > other.at ? [other, one] : [one, other];
  if (isOfBranch(later) || later.mergeBefore !== undefined) return later;
  const mergeBefore = isOfBranch(earlier) ? earlier.revision : earlier.mergeBefore;
  const { branchPosition } = earlier;
  return {
    ...later,
    ...(mergeBefore !== undefined && { mergeBefore }),
    ...(branchPosition !== undefined && { branchPosition }),
  };
}

/** What a deployment that took effect leaves; `at` is its end. */
export function latestOf(deployment: Deployment, at: string): Latest {
  const { status, times } = deployment.progress;
  return {
    deploymentId: deployment.id,
    revision: deployment.revision.sha,
    trigger: deployment.trigger,
    status,
    at: times.applying ?? times[status] ?? at,
    ...(deployment.rerun && { rerun: true }),
    ...(isOfBranch(deployment) && { branchPosition: deployment.revision.position }),
  };
}
