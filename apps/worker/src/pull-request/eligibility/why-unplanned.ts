/** Who is planned: by itself, or only on command. A pure function. */
import type { RepositoryPolicy } from '@nereid/config';
import type { PullRequestRecord, PullRequestVerdict } from '@nereid/domain/pull-request';
import type { PullRequest } from '@nereid/forge';

export interface Candidate {
  readonly policy: Pick<RepositoryPolicy, 'forkPlans'>;
  readonly pullRequest: Pick<PullRequest, 'fromFork' | 'draft' | 'headSha'>;
  readonly record: Pick<PullRequestRecord, 'asked'>;
  /** The word with which commands begin. */
  readonly commentName: string;
}

/** Undefined for one that is planned. A command is for one head: whoever can push to a fork gets no other one planned. */
export function whyUnplanned({ policy, pullRequest, record, commentName }: Candidate): PullRequestVerdict | undefined {
  const isAsked = record.asked?.headSha === pullRequest.headSha;
  if (pullRequest.fromFork && policy.forkPlans === 'never')
    return waits('A fork: nothing was planned', [
      'Plans run code of the pull request, and this one comes from another repository.',
    ]);
  if (isAsked) return undefined;
  if (pullRequest.fromFork) return waits(`A fork: somebody with write permission comments \`${commentName} plan\``);
  if (pullRequest.draft) return waits(`A draft: comment \`${commentName} plan\` for a plan`);
  return undefined;
}

function waits(title: string, lines: readonly string[] = []): PullRequestVerdict {
  return { conclusion: 'action_required', title, lines };
}
