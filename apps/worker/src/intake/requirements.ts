import type { PullRequest } from '@nereid/github';

/** What a manual deployment requires of its pull request and is not so; each a sentence. Pure. */
export function unmetRequirements(pullRequest: PullRequest, deployedBranch: string): readonly string[] {
  return [
    ...(pullRequest.state === 'open' ? [] : ['the pull request has to be open']),
    ...(pullRequest.draft ? ['the pull request is a draft: mark it ready for review'] : []),
    ...(pullRequest.baseBranch === deployedBranch ? [] : [`its base has to be ${deployedBranch}`]),
    ...(pullRequest.fromFork ? [FORK] : []),
  ];
}

const FORK = 'its head is in a fork, and plans of foreign code would run with our credentials: push the branch here';
