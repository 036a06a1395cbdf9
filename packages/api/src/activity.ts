import { z } from 'zod';
import { FullName, listOf, Login, PullRequestNumber, RootName, Sha, Time } from './fields.ts';

/** One event of the audit trail. */
export const ActivityEntry = z
  .object({
    id: z.string(),
    at: Time,
    /** `RUNNING`, `SUCCESS`, `FAILURE` and `UNKNOWN` are of applies, `REVIEWED` and `REFUSED` of requests, `FORGED` of neither. */
    state: z.enum(['RUNNING', 'SUCCESS', 'FAILURE', 'UNKNOWN', 'REVIEWED', 'REFUSED', 'FORGED']),
    /** `apply` of a job, otherwise the action that was asked for. */
    action: z.string(),
    person: Login.optional(),
    approvedBy: Login.optional(),
    repository: FullName.optional(),
    rootName: RootName.optional(),
    revision: Sha.optional(),
    deploymentId: z.string().optional(),
    pullRequest: PullRequestNumber.optional(),
    /** What happened, for people. May contain hostile names. */
    sentence: z.string(),
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const ActivityList = listOf(ActivityEntry).meta({ id: 'ActivityList' });
export type ActivityList = z.infer<typeof ActivityList>;
