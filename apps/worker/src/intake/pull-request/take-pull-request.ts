import { policyFor } from '@nereid/config';
import { fullName, type IntakeResult, type PullRequestEvent } from '@nereid/contracts';
import { signalPullRequest } from '../../pull-request/signal-pull-request.ts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, signalled } from '../results.ts';

/** A pull request that was opened, changed or closed: its workflow looks at it. */
export async function takePullRequest(
  { context }: IntakeCall,
  { repository, pullRequest, action }: PullRequestEvent,
): Promise<IntakeResult> {
  if (!policyFor(context.server.current(), fullName(repository))) return NOT_ALLOWED;
  const workflow = await signalPullRequest(context, repository, pullRequest, 'look');
  return signalled(`#${pullRequest} was ${action}: its plans are looked after`, [workflow]);
}
