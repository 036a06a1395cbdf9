/**
 * How a lane calls its activities.
 *
 * What usually takes milliseconds is first tried as a local activity, which is one event of history instead of six and
 * no way through the server; when that fails it becomes an ordinary one, visible and retried until it succeeds.
 */
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import { createTurns, type LaneActivities, type Repository, type TerraformActivities } from '@nereid/contracts';

/** Within a workflow task, whose time is 10 s: signals wait while it runs. */
const QUICK_MS = 3_000;

const quickly = proxyLocalActivities<LaneActivities & Pick<TerraformActivities, 'recordAudit'>>({
  startToCloseTimeout: QUICK_MS,
  scheduleToCloseTimeout: QUICK_MS,
  retry: { maximumAttempts: 1 },
});

/** Each execution of a workflow has its own. */
const inTurn = createTurns();

/** Until it succeeds: what is recorded must not be lost, and the Temporal UI shows the attempt and its failure. */
const untilDone = proxyActivities<LaneActivities & Pick<TerraformActivities, 'recordAudit'>>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Until it succeeds, or it is time to say again why it does not. */
const forAnHour = proxyActivities<LaneActivities>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** The lane's own loop tries again with what is newest by then. */
const once = proxyActivities<LaneActivities>({ startToCloseTimeout: '1m', retry: { maximumAttempts: 1 } });

/** A host that sees the repository for the first time brings its whole history. */
const reachingGit = proxyActivities<LaneActivities>({
  startToCloseTimeout: '15m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

/** A deployment may wait at its gate for a week; a look each minute would be 110,000 events. */
const following = proxyActivities<LaneActivities>({
  startToCloseTimeout: '1d',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});

export const restoreLane: LaneActivities['restoreLane'] = (repository, rootName, shown) =>
  shown === null
    ? firstQuickly(
        () => quickly.restoreLane(repository, rootName, shown),
        () => untilDone.restoreLane(repository, rootName, shown),
      )
    : untilDone.restoreLane(repository, rootName, shown);

/** What it answers stands in the history before anything is done with it. */
export const restoreLaneDurably: LaneActivities['restoreLane'] = (...args) => untilDone.restoreLane(...args);

/** Tried again without an event of history until the record can be read, or for an hour. */
export const restoreLanePatiently = (repository: Repository, rootName: string) =>
  forAnHour.restoreLane(repository, rootName, null, 'record');

export const storeLane: LaneActivities['storeLane'] = (...args) =>
  firstQuickly(
    () => quickly.storeLane(...args),
    () => untilDone.storeLane(...args),
  );

export const storeDeployment: LaneActivities['storeDeployment'] = (...args) =>
  firstQuickly(
    () => quickly.storeDeployment(...args),
    () => untilDone.storeDeployment(...args),
  );

export const compareRevisions: LaneActivities['compareRevisions'] = (...args) =>
  firstQuickly(
    () => quickly.compareRevisions(...args),
    () => once.compareRevisions(...args),
  );

export const recordAudit: TerraformActivities['recordAudit'] = (...args) =>
  firstQuickly(
    () => quickly.recordAudit(...args),
    () => untilDone.recordAudit(...args),
  );

/** Two ways without a choice between them: what was sent and not answered is not sent again as it was. */
export const presentQuickly: LaneActivities['presentCheckRuns'] = (...args) =>
  inTurn(() => quickly.presentCheckRuns(...args));
export const { presentCheckRuns } = once;
export const { awaitTerraform } = following;
export const { listContained } = reachingGit;

async function firstQuickly<T>(quick: () => Promise<T>, durably: () => Promise<T>): Promise<T> {
  try {
    return await inTurn(quick);
  } catch (error) {
    if (!isWorthAnotherTry(error)) throw error;
    return await durably();
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  if (isCancellation(error)) return false;
  const cause = causeOf(error);
  return !(cause instanceof ApplicationFailure && cause.nonRetryable);
}

/** What the activity itself threw: an ordinary one's comes wrapped, a local one's as it is. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}
