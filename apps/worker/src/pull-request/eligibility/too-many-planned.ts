/** Only so many open pull requests of a repository are planned: each of them is planned again when one of its roots is deployed. */
import type { PullRequestVerdict } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import type { WorkerContext } from '../../platform/context.ts';

/** As many as a deployment tells of its end. */
const PLANNED_LIMIT = 500;

/** Undefined for one that is planned already, or may be. Storage counts: it knows every pull request that has plans. */
export async function tooManyPlanned(
  { pullRequestRecords }: Pick<WorkerContext, 'pullRequestRecords'>,
  repository: Repository,
  { number, draft, fromFork }: Pick<PullRequest, 'number' | 'draft' | 'fromFork'>,
  commentName: string,
): Promise<PullRequestVerdict | undefined> {
  const planned = await pullRequestRecords.withRoots(repository);
  if (planned.size < PLANNED_LIMIT || planned.has(number)) return undefined;
  const title = `${planned.size} open pull requests are planned, the limit is ${PLANNED_LIMIT}: merge or close some of them`;
  // The reconciler looks again at what waits for an action, but for those that are planned on command.
  const isOnCommand = draft || fromFork;
  const line = isOnCommand ? `Then comment \`${commentName} plan\`.` : 'This one is planned within minutes after that.';
  return { conclusion: 'action_required', title, lines: [line] };
}
