/** Asks GitHub whether a pull request meets the requirements of a manual deployment. */
import type { RepositoryPolicy } from '@nereid/config';
import type { Repository } from '@nereid/contracts';
import { approversOf, PERMISSIONS, type PullRequest } from '@nereid/github';
import type { IntakeCall } from '../intake-call.ts';
import { MergeabilityUnknownError, askPatiently } from '../ask-patiently.ts';
import { judgeRequirements, unmetAlways, type PullRequestFacts } from './unmet-requirements.ts';

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
  const [deployedBranch, isApproved, comparison] = await Promise.all([
    policy.branch ?? github.repositories.defaultBranch(repository),
    hasApproval(call, repository, pullRequest),
    // Compares with the branch as it is now: the base commit that GitHub reports may be older.
    github.compare(repository, baseBranch, headSha),
  ]);
  return { pullRequest, deployedBranch, isApproved, comparison };
}

/** Nobody asks more people for a review. The limit is for public repositories, where strangers may approve, too. */
const APPROVERS_ASKED = 30;

/** GitHub lets everybody with read permission approve, but counts only approvals of people with write permission. */
async function hasApproval(
  { context: { github } }: IntakeCall,
  repository: Repository,
  pullRequest: PullRequest,
): Promise<boolean> {
  const { number, headSha } = pullRequest;
  const [reviews, contributors] = await Promise.all([
    github.pullRequests.reviews(repository, number),
    github.commits.contributors(repository, headSha),
  ]);
  const approvers = approversOf(pullRequest, reviews, contributors.people);
  for (const login of approvers.slice(0, APPROVERS_ASKED)) {
    const permission = await github.permissionOf(repository, login);
    if (PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf('write')) return true;
  }
  return false;
}
