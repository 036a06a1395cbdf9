/**
 * Ended deployments. A lane keeps each until its check run says so and its own record is stored, and keeps the last ones for
 * its page. Pure.
 */
import { shortSha, type Carrier, type Deployment, type EndedStatus, type PlanSummary } from '@nereid/contracts';
import { bytesOf, bytesOfAll } from '../state/bytes.ts';
import type { LaneState } from '../state/lane-state.ts';
import { afterState, noticesOf } from '../check-runs/notices.ts';
import { advanced } from './progress.ts';
import { inOrder, remove } from '../queue/queue.ts';
import { undeployedAfter } from './undeployed.ts';

/** How many ended deployments a lane keeps at hand for its page. */
export const ENDED_LIMIT = 50;

/** As many as a queue holds. If GitHub is away for long, the oldest check runs are given up. */
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

/**
 * Returns the ended deployments that fit into the room. If not all of them fit, those whose own record has the rest are
 * shortened, the oldest first. If that is not enough, the oldest are given up.
 */
export function fitting(
  ended: readonly Deployment[],
  roomBytes: number,
  isRecorded: (deployment: Deployment) => boolean,
): readonly Deployment[] {
  let bytes = bytesOfAll(ended);
  const less = ended.map((deployment) => {
    if (bytes <= roomBytes || !isRecorded(deployment)) return deployment;
    const short = shortened(deployment);
    bytes -= bytesOf(deployment) - bytesOf(short);
    return short;
  });
  const from = less.findIndex((deployment) => {
    if (bytes <= roomBytes) return true;
    bytes -= bytesOf(deployment);
    return false;
  });
  return from === -1 ? [] : less.slice(from);
}

/** Keeps the facts that the check run shows at a glance, and says that there was more. The settings are not needed any more. */
export function shortened(deployment: Deployment): Deployment {
  const { root, progress } = deployment;
  const { plan, failure } = progress;
  return {
    ...deployment,
    root: { ...root, varFiles: [], steps: { plan: [], apply: [] } },
    progress: {
      ...progress,
      ...(plan && { plan: { ...plan, summary: shortSummary(plan.summary) } }),
      ...(failure && { failure: { ...failure, lines: shortLines(failure.lines) } }),
    },
  };
}

/** Deletes come first. */
const RESOURCES_KEPT = 5;

function shortSummary(summary: PlanSummary): PlanSummary {
  const { resources, omitted } = summary;
  const kept = resources.slice(0, RESOURCES_KEPT);
  return { ...summary, resources: kept, omitted: omitted + resources.length - kept.length };
}

/** The last lines say why. */
const LINES_KEPT = 3;

function shortLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= LINES_KEPT) return lines;
  return ['… shortened: the log has all of it', ...lines.slice(-LINES_KEPT)];
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
