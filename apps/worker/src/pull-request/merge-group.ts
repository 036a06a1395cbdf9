/** A group of a merge queue: a branch with the commits that the queue wants to merge together. */
import type { PullRequestRecord } from '@nereid/domain/pull-request';
import type { PullRequest } from '@nereid/forge';
import { ApplicationFailure } from '@temporalio/common';
import type { RevisionTools } from '../root/revision-tools.ts';

/** Git gets a head some seconds after the forge lists it. */
export const GIT_CATCHES_UP_MS = 60_000;

export function headNotThereYet(message: string): ApplicationFailure {
  return ApplicationFailure.retryable(message, 'HEAD_NOT_THERE_YET');
}

/**
 * The last pull request of a group, with the group's head. It is open while the queue's branch has that head. Somebody who may
 * merge has put it there, also when it comes from a fork.
 */
export async function withGroup(
  { context, signal }: RevisionTools,
  pullRequest: PullRequest,
  { repository, group, look }: PullRequestRecord,
): Promise<PullRequest> {
  if (group === undefined) return pullRequest;
  const { branch, headSha, requestedAt } = group;
  const isThere = (await context.mirrors.branchHead(repository, branch, signal)) === headSha;
  const isNew = look === undefined && Date.now() - Date.parse(requestedAt) < GIT_CATCHES_UP_MS;
  if (!isThere && isNew) throw headNotThereYet(`git does not have ${branch} yet`);
  return { ...pullRequest, headSha, state: isThere ? 'open' : 'closed', draft: false, fromFork: false };
}
