/** How a lane calls its activities. Ordinary ones only: an answer that is replayed at another moment than it came decides otherwise. */
import { ActivityFailure, TimeoutFailure, proxyActivities } from '@temporalio/workflow';
import { CONTROL_QUEUE, type LaneActivities } from '@nereid/contracts';

/** Activities beat every few seconds: a worker that is lost costs its lane no more than this. */
const HEARTBEAT = '20s';

/** One attempt: the lane tries again, with what is newest by then. `summary` is for the Temporal UI. */
const once = (summary: string) =>
  proxyActivities<LaneActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '1m',
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: 1 },
    summary,
  });

export const { settleLane } = once('store what changed');
export const { findTerraform } = once('what became of the running deployment');
export const { showCheckRuns } = once('tell GitHub what differs');

/** A worker that sees the repository for the first time brings its whole history. */
export const { admitDeployment } = proxyActivities<LaneActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '15m',
  heartbeatTimeout: HEARTBEAT,
  retry: { maximumAttempts: 1 },
  summary: 'compare with what is deployed, store what runs',
});

/**
 * An attempt that finds the same reason again fails, and is tried again without an event of history; once an hour it is said
 * anew.
 */
export const { readLane } = proxyActivities<LaneActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '20s' },
  summary: 'read the record of the lane',
});

/** Long enough for a path and what is wrong with it. */
const WHY_LIMIT = 300;

/** What an activity said last, for people. */
export function whyFailed(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const thrown = cause instanceof TimeoutFailure ? (cause.cause ?? cause) : cause;
  return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, WHY_LIMIT);
}
