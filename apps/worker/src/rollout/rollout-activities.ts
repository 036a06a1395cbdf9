/** The activity of the rollout workflow, for control workers. */
import type { RolloutActivities } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { withHeartbeats } from '../platform/temporal/with-heartbeats.ts';
import { showRollout, type ShownRollout } from './show-rollout.ts';

export function createRolloutActivities(context: WorkerContext): RolloutActivities {
  return withFailures<RolloutActivities>({
    showRollout: (repository, sha) => showWithHeartbeats(context, repository, sha),
  });
}

/** An attempt knows by the last heartbeat what the one before has shown. */
function showWithHeartbeats(context: WorkerContext, repository: Repository, sha: string): Promise<string> {
  const activity = Context.current();
  const heartbeatDetails: unknown = activity.info.heartbeatDetails;
  let shown = isShownRollout(heartbeatDetails) ? heartbeatDetails : undefined;
  const onShown = (newest: ShownRollout) => {
    shown = newest;
    activity.heartbeat(newest);
  };
  const options = { signal: activity.cancellationSignal, onShown, ...(shown && { shown }) };
  return withHeartbeats(
    () => showRollout(context, repository, sha, options),
    () => shown,
  );
}

/** Somebody who reaches Temporal can send a heartbeat. */
function isShownRollout(details: unknown): details is ShownRollout {
  if (typeof details !== 'object' || details === null) return false;
  const { checkRuns, writes, digest, wroteAt, found, foundAt } = details as Partial<
    Record<keyof ShownRollout, unknown>
  >;
  return (
    Array.isArray(checkRuns) &&
    checkRuns.every(
      (one: unknown) => typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'number',
    ) &&
    [writes, wroteAt, foundAt].every((one) => typeof one === 'number') &&
    [digest, found].every((one) => typeof one === 'string')
  );
}
