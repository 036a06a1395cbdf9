/** Has a pull request, or a group of a merge queue, looked at by its workflow. */
import type { QueuedGroup } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';
import { signalPullRequest } from './signal-pull-request.ts';

type Context = Pick<WorkerContext, 'pullRequestRecords' | 'temporal'>;

/** Anybody who reaches Temporal can have one looked at, but only if this has stored it. Returns the id of the workflow. */
export async function schedulePullRequestSync(
  context: Context,
  repository: Repository,
  number: number,
): Promise<string> {
  await context.pullRequestRecords.change(repository, { number }, (record) =>
    record?.repository.installationId === repository.installationId
      ? undefined
      : { version: 1, number, checkRuns: [], ...record, repository },
  );
  return signalPullRequest(context, repository, { number }, 'look');
}

/** `number` is the one of the group's last pull request. Returns the id of the workflow. */
export async function scheduleGroupSync(
  context: Context,
  repository: Repository,
  number: number,
  group: QueuedGroup,
): Promise<string> {
  const subject = { number, group: group.headSha };
  await context.pullRequestRecords.change(repository, subject, (record) =>
    record?.repository.installationId === repository.installationId
      ? undefined
      : { version: 1, number, group, checkRuns: [], ...record, repository },
  );
  return signalPullRequest(context, repository, subject, 'look');
}
