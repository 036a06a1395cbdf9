/** Asks the forge whether a pull request meets the requirements of a manual deployment. */
import type { RepositoryPolicy } from '@nereid/config';
import type { Repository } from '@nereid/domain/root';
import { PERMISSIONS, together, type PullRequest } from '@nereid/forge';
import type { IntakeCall } from '../intake-call.ts';
import { MergeabilityUnknownError, askPatiently } from '../../person/ask-patiently.ts';
import { judgeRequirements, unmetAlways, type Approval, type PullRequestFacts } from './unmet-requirements.ts';
import { approversOf } from './approvals.ts';

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
  const { name } = call.context.forge;
  const notNow = `${name} could not tell whether this pull request meets the requirements: not now, try again`;
  return askPatiently(call, () => judge(call, request), [notNow]);
}

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
  const { forge } = call.context;
  const { baseBranch, headSha } = pullRequest;
  const [deployedBranch, approval, comparison] = await Promise.all([
    policy.branch ?? forge.repositories.defaultBranch(repository),
    approvalOf(call, repository, pullRequest),
    // Compares with the branch as it is now: the base commit of the pull request may be older.
    forge.commits.compare(repository, baseBranch, headSha),
  ]);
  return { forge: forge.name, pullRequest, deployedBranch, approval, comparison };
}

/** Nobody asks more people for a review. The limit is for public repositories, where strangers may approve, too. */
const APPROVERS_ASKED = 30;

/**
 * Everybody with read permission may approve, but only approvals of people with write permission count. A commit names
 * whomever its author likes, so the people who pushed it count as its authors, too.
 */
async function approvalOf(
  { context: { forge } }: IntakeCall,
  repository: Repository,
  pullRequest: PullRequest,
): Promise<Approval> {
  const { number, headSha, headBranch } = pullRequest;
  if (forge.approvals === undefined) return 'unknowable';
  const [reviews, contributors, pushers] = await Promise.all([
    forge.approvals.reviewsOf(repository, number),
    forge.commits.contributors(repository, headSha),
    forge.repositories.pushersOf(repository, headBranch),
  ]);
  const { people, hasUnknown } = together([contributors, pushers]);
  const approvers = approversOf(pullRequest, reviews, people);
  const required = PERMISSIONS.indexOf(hasUnknown ? 'admin' : 'write');
  for (const login of approvers.slice(0, APPROVERS_ASKED)) {
    const permission = await forge.people.permissionOf(repository, login);
    if (PERMISSIONS.indexOf(permission) >= required) return 'given';
  }
  return hasUnknown ? 'missing of an admin' : 'missing';
}
