import { z } from 'zod';
import { FullName, PoolName, Time } from '../fields.ts';

const Terms = z.object({
  /** Login. */
  by: z.string(),
  /** The person's words. */
  reason: z.string(),
  at: Time,
  until: Time,
});

/** A stop that is in force, by what it holds up. */
export const StopSummary = z
  .discriminatedUnion('of', [
    Terms.extend({ of: z.literal('all') }),
    Terms.extend({ of: z.literal('pool'), pool: PoolName }),
    Terms.extend({ of: z.literal('repository'), repository: FullName }),
    /** Directories of a repository, or globs of them. */
    Terms.extend({ of: z.literal('directories'), repository: FullName, directories: z.array(z.string()).min(1) }),
  ])
  .meta({ id: 'StopSummary' });
export type StopSummary = z.infer<typeof StopSummary>;

export const StopList = z
  .object({
    /** Those of all repositories and of pools first. */
    items: z.array(StopSummary),
    /** The stops of pools cannot be read, so nothing begins anywhere until somebody thaws all of them. */
    areUnreadable: z.literal(true).optional(),
    /** The console has no key of control to verify them with: whoever writes to its storage may have made them up. */
    areUnverified: z.literal(true).optional(),
    /** How many more stand in storage that control has not signed: they stop nothing. Absent when there are none. */
    forged: z.int().min(1).optional(),
  })
  .meta({ id: 'StopList' });
export type StopList = z.infer<typeof StopList>;
