import type { PullRequest } from '@nereid/github';

/**
 * What a manual deployment requires of its pull request and is not so; each a sentence. Pure.
 *
 * An admin's `-f` skips what can be skipped. Code from a fork is never run: whoever wrote it would have our credentials.
 */
export function unmetRequirements(pullRequest: PullRequest, deployedBranch: string, force = false): readonly string[] {
  return [...(force ? [] : unmetConditions(pullRequest, deployedBranch)), ...(pullRequest.fromFork ? [FORK] : [])];
}

function unmetConditions(pullRequest: PullRequest, deployedBranch: string): readonly string[] {
  return [
    ...(pullRequest.state === 'open' ? [] : ['the pull request has to be open']),
    ...(pullRequest.draft ? ['the pull request is a draft: mark it ready for review'] : []),
    ...(pullRequest.baseBranch === deployedBranch ? [] : [`its base has to be ${deployedBranch}`]),
  ];
}

const FORK = 'its head is in a fork, and plans of foreign code would run with our credentials: push the branch here';
