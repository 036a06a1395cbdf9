import { policyFor } from '@nereid/config';
import type { IntakeResult, MergeGroupEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { scheduleGroupSync } from '../../pull-request/schedule-sync.ts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, nothing, signalled } from '../results.ts';

/** A merge queue made a group, or removed it: its workflow looks whether its branch is there. */
export async function handleMergeGroup(
  { context, askedAt }: IntakeCall,
  { repository, pullRequest: number, branch, headSha, action }: MergeGroupEvent,
): Promise<IntakeResult> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (policy.pullRequests === 'off') return nothing('groups of a merge queue of this repository are not planned');
  const group = { headSha, branch, requestedAt: askedAt };
  const workflow = await scheduleGroupSync(context, repository, number, group);
  return signalled(`${action} of the merge queue's group up to #${number}: its plans are brought up to date`, [
    workflow,
  ]);
}
