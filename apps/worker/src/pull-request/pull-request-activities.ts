/** The activities of the pull-request workflow, for control workers. */
import type { PullRequestActivities } from '@nereid/contracts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { withFailures } from '../failures.ts';
import { withHeartbeats } from '../temporal/with-heartbeats.ts';
import { lookAtPullRequest } from './look.ts';
import { showPullRequest } from './show.ts';

export function createPullRequestActivities(context: WorkerContext): PullRequestActivities {
  return withFailures<PullRequestActivities>({
    lookAtPullRequest: (repository, subject, deployed) =>
      withHeartbeats(() =>
        lookAtPullRequest({ context, signal: Context.current().cancellationSignal }, repository, subject, deployed),
      ),
    showPullRequest: (repository, subject) =>
      withHeartbeats(() => {
        const { info, cancellationSignal: signal } = Context.current();
        return showPullRequest(context, repository, subject, { isRetry: info.attempt > 1, signal });
      }),
  });
}
