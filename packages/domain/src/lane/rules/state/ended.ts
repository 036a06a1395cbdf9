/**
 * Ended deployments. A lane keeps each until its check run says so and its own record is stored, and keeps the last ones for
 * its page. Pure.
 */
import type { Carrier, Deployment } from '../../../deployment/model.ts';
import { shortSha } from '../../../deployment/revision.ts';
import type { EndedStatus } from '../../../deployment/status.ts';
import { afterState, noticesOf } from './notices.ts';
import { advanced } from '../../../deployment/rules/progress.ts';
import { undeployedAfter } from './undeployed.ts';
import { inOrder, remove } from '../queue/queue.ts';
import type { LaneState } from './lane-state.ts';

/** How many ended deployments a lane keeps at hand for its page. */
export const ENDED_LIMIT = 50;

/** As many as a queue holds. If the forge is away for long, the oldest check runs are given up. */
export const UNTOLD_LIMIT = 1_000;

/** Adds ended deployments, and takes them out of the queue. */
export function withEnded(state: LaneState, deployments: readonly Deployment[], at: string): LaneState {
  if (deployments.length === 0) return state;
  return {
    ...state,
    queue: remove(state.queue, new Set(deployments.map(({ id }) => id))),
    ended: [...state.ended, ...deployments],
    undeployed: undeployedAfter(state, deployments, at),
    notices: deployments.reduce((notices, { id }) => afterState(notices, id, at), state.notices),
  };
}

/** Forgets the ended deployments that everybody knows of, except the last ones. */
export function withoutTold(state: LaneState, isTold: (deployment: Deployment) => boolean): LaneState {
  const old = state.ended.length - ENDED_LIMIT;
  if (old <= 0) return state;
  const ended = state.ended.filter((deployment, index) => index >= old || !isTold(deployment)).slice(-UNTOLD_LIMIT);
  if (ended.length === state.ended.length) return state;
  const known = new Set(
    [...(state.running ? [state.running] : []), ...inOrder(state.queue), ...ended].map(({ id }) => id),
  );
  return { ...state, ended, notices: noticesOf(state.notices, (id) => known.has(id)) };
}

/** Ends all waiting deployments, for a lane that is cancelled. */
export function endWaiting(state: LaneState, status: EndedStatus, reason: string, at: string): LaneState {
  const ended = inOrder(state.queue).map((deployment) => advanced(deployment, status, at, reason));
  return withEnded(state, ended, at);
}

/** Waiting merged deployments that the running deployment contains are deployed with it. */
export function collapse(state: LaneState, contained: ReadonlySet<string>, at: string): LaneState {
  const { running } = state;
  if (running === undefined) return state;
  const carrier: Carrier = { deploymentId: running.id, revision: running.revision.sha };
  const sentence = `Goes with ${shortSha(carrier.revision)}, which contains it: this root deploys only the newest waiting revision.`;
  const carried = state.queue.merged.filter(({ revision }) => contained.has(revision.sha));
  return withEnded(
    state,
    carried.map((deployment) => ({ ...advanced(deployment, 'skipped', at, sentence), carrier })),
    at,
  );
}
