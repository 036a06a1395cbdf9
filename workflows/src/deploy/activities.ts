/**
 * How a lane calls its activities. Ordinary activities only: a replay may hand over a local one's answer at another moment, and
 * the lane would decide otherwise.
 */
import { ActivityFailure, TimeoutFailure, proxyActivities } from '@temporalio/workflow';
import { withoutMentions } from '@nereid/domain/deployment';
import type { LaneActivities, LaneDurations, LaneStored, Settlement } from '@nereid/domain/lane';
import type { DependenciesFound } from '@nereid/domain/rollout';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';

/** Activities send a heartbeat every few seconds: a lost worker costs its lane no more than this. */
const HEARTBEAT = '20s';

/** One attempt: the lane itself tries again, with its newest state. `summary` is for the Temporal UI. */
const once = (summary: string) =>
  proxyActivities<LaneActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '1m',
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: 1 },
    summary,
  });

/** Answers a `LaneStored`, because it never brings an end that was returned. */
export const settleLane = (settlement: Settlement) =>
  once('store what changed').settleLane(settlement) as Promise<LaneStored>;
export const { findTerraform } = once('what became of the running deployment');
export const { showCheckRuns } = once('show what differs on the forge');

/** Retried until the end is verified. Nobody waits for the audit trail. */
export const { settleLane: settleEnd } = proxyActivities<LaneActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '2m',
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '20s' },
  summary: 'show and store the end',
});

/** A worker that sees the repository for the first time fetches its whole history. */
export const { admitDeployment } = proxyActivities<LaneActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '15m',
  heartbeatTimeout: HEARTBEAT,
  retry: { maximumAttempts: 1 },
  summary: 'compare with what is deployed, store what runs',
});

/**
 * An attempt that finds the same reason again fails, and the server retries it without an event of history. After an hour, the
 * whole activity fails, and the lane starts it again.
 */
export const { readLane } = proxyActivities<LaneActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '20s' },
  summary: 'read the record of the lane',
});

/**
 * Like `readLane`, an attempt without news fails, and the server tries again at growing intervals. Between two days of that, the
 * lane has a few events of history. Another question takes the place of this one.
 */
export function findDependencies(
  { dependenciesMs, dependenciesLimitMs }: LaneDurations,
  ...asked: Parameters<LaneActivities['findDependencies']>
): Promise<readonly DependenciesFound[]> {
  return proxyActivities<LaneActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '1m',
    scheduleToCloseTimeout: '1d',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: dependenciesMs, maximumInterval: dependenciesLimitMs },
    summary: 'what other lanes have to deploy first',
  }).findDependencies(...asked);
}

/** Long enough for a path and its problem. */
const WHY_LIMIT = 300;

/** The last message of a failed activity, for people. */
export function whyFailed(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const thrown = cause instanceof TimeoutFailure ? (cause.cause ?? cause) : cause;
  return withoutMentions((thrown instanceof Error ? thrown.message : String(thrown)).slice(0, WHY_LIMIT));
}
