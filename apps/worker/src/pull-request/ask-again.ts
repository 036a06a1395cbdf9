/** Remembers that somebody who may asked for new plans of a pull request, and has it looked at. */
import type { PlanRequest } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';
import { signalPullRequest } from './signal-pull-request.ts';

/** Returns the id of the workflow. */
export async function askAgain(
  context: Pick<WorkerContext, 'pullRequestRecords' | 'temporal'>,
  repository: Repository,
  number: number,
  asked: PlanRequest,
): Promise<string> {
  await context.pullRequestRecords.change(repository, { number }, (record) => ({
    version: 1,
    number,
    checkRuns: [],
    ...record,
    repository,
    asked,
  }));
  return signalPullRequest(context, repository, { number }, 'look');
}
