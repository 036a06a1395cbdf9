import { z } from 'zod';
import { Cursor, MissingDays, Time } from '../fields.ts';

/** One event of the audit trail. Names are those that the event has. */
export const ActivityEntry = z
  .object({
    id: z.string(),
    at: Time,
    /** `RUNNING`, `SUCCESS`, `FAILURE` and `UNKNOWN` are of applies, `REVIEWED` and `REFUSED` of requests, the others of neither. */
    state: z.enum(['RUNNING', 'SUCCESS', 'FAILURE', 'UNKNOWN', 'REVIEWED', 'REFUSED', 'FORGED', 'ERASED']),
    /** `apply` of a job, otherwise the action that was asked for. */
    action: z.string(),
    /** Login. */
    person: z.string().optional(),
    approvedBy: z.string().optional(),
    /** `owner/name`. */
    repository: z.string().optional(),
    rootName: z.string().optional(),
    revision: z.string().optional(),
    deploymentId: z.string().optional(),
    /** Of `drain` and `resume`, which are about no repository. */
    hostId: z.string().optional(),
    /** Of `send_again`, which is about no repository: the name of a destination of notifications. */
    destination: z.string().optional(),
    /** Of `stop_pool` and `thaw_pool`, which are about no repository: the name of a pool, or `*` for all of them. */
    pool: z.string().optional(),
    pullRequest: z.int().optional(),
    /** What happened, for people. May contain hostile names. */
    sentence: z.string(),
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/** One page of the trail: `next` is absent on the last one. */
export const ActivityList = z
  .object({ items: z.array(ActivityEntry), next: Cursor.optional(), missing: MissingDays })
  .meta({ id: 'ActivityList' });
export type ActivityList = z.infer<typeof ActivityList>;
