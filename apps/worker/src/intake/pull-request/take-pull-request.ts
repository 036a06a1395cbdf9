import { policyFor } from '@nereid/config';
import { fullName, type IntakeResult, type PullRequestEvent } from '@nereid/contracts';
import { signalPullRequest } from '../../pull-request/signal-pull-request.ts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, nothing, signalled } from '../results.ts';

/** A pull request that was opened, changed or closed: its workflow looks at it. */
export async function takePullRequest(
  { context }: IntakeCall,
  { repository, pullRequest, action }: PullRequestEvent,
): Promise<IntakeResult> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (policy.pullRequests === 'off') return nothing('pull requests of this repository are not planned');
  // Whoever reaches Temporal can have a pull request looked at, but only as GitHub told of it.
  await context.pullRequestRecords.change(repository, { number: pullRequest }, (record) =>
    record?.repository.installationId === repository.installationId
      ? undefined
      : { version: 1, number: pullRequest, checkRuns: [], ...record, repository },
  );
  const workflow = await signalPullRequest(context, repository, { number: pullRequest }, 'look');
  return signalled(`#${pullRequest} was ${action}: its plans are looked after`, [workflow]);
}
