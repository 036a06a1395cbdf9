import { policyFor } from '@nereid/config';
import type { IntakeResult, PullRequestEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { schedulePullRequestSync } from '../../pull-request/schedule-sync.ts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, nothing, signalled } from '../results.ts';

/** A pull request that was opened, changed or closed: its workflow looks at it. */
export async function handlePullRequest(
  { context }: IntakeCall,
  { repository, pullRequest, action }: PullRequestEvent,
): Promise<IntakeResult> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (policy.pullRequests === 'off') return nothing('pull requests of this repository are not planned');
  const workflow = await schedulePullRequestSync(context, repository, pullRequest);
  return signalled(`#${pullRequest} was ${action}: its plans are brought up to date`, [workflow]);
}
