import { policyFor } from '@nereid/config';
import { fullName, type IntakeResult, type MergeGroupEvent } from '@nereid/contracts';
import { signalPullRequest } from '../../pull-request/signal-pull-request.ts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, nothing, signalled } from '../results.ts';

/** A merge queue made a group, or has made away with it: its workflow looks whether its branch is there. */
export async function takeMergeGroup(
  { context, askedAt }: IntakeCall,
  { repository, pullRequest: number, branch, headSha, action }: MergeGroupEvent,
): Promise<IntakeResult> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (policy.pullRequests === 'off') return nothing('groups of a merge queue of this repository are not planned');
  const subject = { number, group: headSha };
  await context.pullRequestRecords.change(repository, subject, (record) =>
    record?.repository.installationId === repository.installationId
      ? undefined
      : {
          version: 1,
          number,
          group: { headSha, branch, requestedAt: askedAt },
          checkRuns: [],
          ...record,
          repository,
        },
  );
  const workflow = await signalPullRequest(context, repository, subject, 'look');
  return signalled(`${action} of the merge queue's group up to #${number}: its plans are looked after`, [workflow]);
}
