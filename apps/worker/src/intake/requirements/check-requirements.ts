/** Asks GitHub whether a pull request meets the requirements of a manual deployment. */
import type { RepositoryPolicy } from '@nereid/config';
import type { Repository } from '@nereid/domain/root';
import { approversOf, PERMISSIONS, together, type PullRequest } from '@nereid/github';
import type { IntakeCall } from '../intake-call.ts';
import { MergeabilityUnknownError, askPatiently } from '../../person/ask-patiently.ts';
import { judgeRequirements, unmetAlways, type Approval, type PullRequestFacts } from './unmet-requirements.ts';

export interface RequirementsRequest {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly pullRequest: PullRequest;
  /** `-f`: checks only the requirement that is never skipped. */
  readonly force?: boolean;
}

/** A sentence for each requirement that is not met at this moment. None is checked again when the deployment runs. */
export async function unmetRequirements(call: IntakeCall, request: RequirementsRequest): Promise<readonly string[]> {
  const { pullRequest, force = false } = request;
  if (force) return unmetAlways(pullRequest);
  return askPatiently(call, () => judge(call, request), NOT_NOW);
}

const NOT_NOW = ['GitHub could not tell whether this pull request meets the requirements: not now, try again'];

async function judge(call: IntakeCall, request: RequirementsRequest): Promise<readonly string[]> {
  const verdict = judgeRequirements(await factsOf(call, request));
  switch (verdict.kind) {
    case 'met':
      return [];
    case 'unmet':
      return verdict.sentences;
    case 'undecided':
      throw new MergeabilityUnknownError(request.pullRequest.number);
  }
}

async function factsOf(
  call: IntakeCall,
  { repository, policy, pullRequest }: RequirementsRequest,
): Promise<PullRequestFacts> {
  const { github } = call.context;
  const { baseBranch, headSha } = pullRequest;
  const [deployedBranch, approval, comparison] = await Promise.all([
    policy.branch ?? github.repositories.defaultBranch(repository),
    approvalOf(call, repository, pullRequest),
    // Compares with the branch as it is now: the base commit that GitHub reports may be older.
    github.compare(repository, baseBranch, headSha),
  ]);
  return { pullRequest, deployedBranch, approval, comparison };
}

/** Nobody asks more people for a review. The limit is for public repositories, where strangers may approve, too. */
const APPROVERS_ASKED = 30;

/**
 * GitHub lets everybody with read permission approve, but counts only approvals of people with write permission. A commit names
 * whomever its author likes, so the people who pushed it count as its authors, too.
 */
async function approvalOf(
  { context: { github } }: IntakeCall,
  repository: Repository,
  pullRequest: PullRequest,
): Promise<Approval> {
  const { number, headSha, headBranch } = pullRequest;
  const [reviews, contributors, pushers] = await Promise.all([
    github.pullRequests.reviews(repository, number),
    github.commits.contributors(repository, headSha),
    github.repositories.pushersOf(repository, headBranch),
  ]);
  const { people, hasUnknown } = together([contributors, pushers]);
  const approvers = approversOf(pullRequest, reviews, people);
  const required = PERMISSIONS.indexOf(hasUnknown ? 'admin' : 'write');
  for (const login of approvers.slice(0, APPROVERS_ASKED)) {
    const permission = await github.permissionOf(repository, login);
    if (PERMISSIONS.indexOf(permission) >= required) return 'given';
  }
  return hasUnknown ? 'missing of an admin' : 'missing';
}
