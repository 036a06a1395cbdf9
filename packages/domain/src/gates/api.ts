import { z } from 'zod';
import { FullName, PoolName, Time } from '../fields.ts';

/** A stop that is in force. It has either a repository or a pool. */
export const StopSummary = z
  .object({
    repository: FullName.optional(),
    /** Of a repository: the directories that it is about; none for all of them. */
    directories: z.array(z.string()).optional(),
    pool: PoolName.optional(),
    /** Login. */
    by: z.string(),
    /** The person's words. */
    reason: z.string(),
    at: Time,
    until: Time,
  })
  .meta({ id: 'StopSummary' });
export type StopSummary = z.infer<typeof StopSummary>;

export const StopList = z
  .object({
    /** Those of pools first. */
    items: z.array(StopSummary),
    /** The stops of pools cannot be read, so nothing begins anywhere until somebody thaws all of them. */
    areUnreadable: z.literal(true).optional(),
  })
  .meta({ id: 'StopList' });
export type StopList = z.infer<typeof StopList>;
