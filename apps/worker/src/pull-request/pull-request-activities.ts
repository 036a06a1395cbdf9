/** The activities of the pull-request workflow, for control workers. */
import type { PreviewSubject, PullRequestActivities } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { withHeartbeats } from '../platform/temporal/with-heartbeats.ts';
import { syncPullRequest } from './sync-pull-request.ts';
import { showPullRequest } from './show/show.ts';

/** On the queue of looks. */
export function createLookActivities(context: WorkerContext): Pick<PullRequestActivities, 'syncPullRequest'> {
  return withFailures<Pick<PullRequestActivities, 'syncPullRequest'>>({
    syncPullRequest: (repository, subject, deployed) =>
      withHeartbeats(() =>
        syncPullRequest({ context, signal: Context.current().cancellationSignal }, repository, subject, deployed),
      ),
  });
}

/** On the queue of control workers: it waits for the forge's turns, and costs nothing meanwhile. */
export function createShowActivities(context: WorkerContext): Pick<PullRequestActivities, 'showPullRequest'> {
  return withFailures<Pick<PullRequestActivities, 'showPullRequest'>>({
    showPullRequest: (repository, subject) => showWithHeartbeats(context, repository, subject),
  });
}

/** A comment may have to wait for its turn. The next attempt knows by the last heartbeat that the check run is written. */
function showWithHeartbeats(context: WorkerContext, repository: Repository, subject: PreviewSubject): Promise<void> {
  const activity = Context.current();
  const { attempt } = activity.info;
  const earlier: unknown = activity.info.heartbeatDetails;
  let checkRunDigest = typeof earlier === 'string' ? earlier : undefined;
  const onCheckRun = (digest?: string) => {
    checkRunDigest = digest;
    activity.heartbeat(digest);
  };
  const options = { isRetry: attempt > 1, signal: activity.cancellationSignal, checkRunDigest, onCheckRun };
  return withHeartbeats(
    () => showPullRequest(context, repository, subject, options),
    () => checkRunDigest,
  );
}
