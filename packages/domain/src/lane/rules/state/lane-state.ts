/** The state of a lane: plain data, which never changes in place. */
import type { CheckRunRef } from '../../../deployment/check-run.ts';
import type { LiftedLock, Lock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { Said } from '../../../deployment/notice.ts';
import type { Notices } from '../../input.ts';
import type { Judged, Latest, Seen } from '../../record.ts';
import type { Undeployed } from '../../undeployed.ts';
import { withNotice } from './notices.ts';
import { emptyQueue, inOrder, update, type Queue } from '../queue/queue.ts';
import { nothingSeen } from '../queue/seen.ts';

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
  /** Ended deployments, newest last: those that the forge or storage does not know of yet, and the last ones for the page. */
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

export function addNotice(state: LaneState, deploymentId: string, said: Said, at: string): LaneState {
  if (find(state, deploymentId) === undefined) return state;
  return { ...state, notices: withNotice(state.notices, deploymentId, said, at) };
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

export function isRunning({ running }: Pick<LaneState, 'running'>, deploymentId: string): boolean {
  return running?.id === deploymentId;
}

export function find(state: LaneState, deploymentId: string): Deployment | undefined {
  return deploymentsOf(state).find(({ id }) => id === deploymentId);
}

/** All deployments that the lane knows: running, waiting and ended. */
export function deploymentsOf({ running, queue, ended }: LaneState): readonly Deployment[] {
  return [...(running ? [running] : []), ...inOrder(queue), ...ended];
}

/** Whether a deployment may not go, as far as the lane knows, because others go before it in their lanes. */
export function isHeld({ ready }: Pick<LaneState, 'ready'>, deployment: Deployment): deployment is InRollout {
  return deployment.rollout !== undefined && !ready.includes(deployment.id);
}

/** A deployment of a revision whose roots go one after the other. */
export type InRollout = Deployment & Required<Pick<Deployment, 'rollout'>>;
