import { z } from 'zod';
import { Time } from '../fields.ts';

/** What one check found, and if that is not good, what to do. */
const Examined = z.object({
  /** Of the check; a check may have found several things. */
  name: z.string(),
  /** `skip`: there is nothing to check. */
  outcome: z.enum(['ok', 'warn', 'fail', 'skip']),
  found: z.string(),
  remedy: z.string().optional(),
});

export const Diagnosis = z
  .object({
    /** Whose checks these are. */
    process: z.string(),
    /** Whether nothing failed. */
    isHealthy: z.boolean(),
    examined: z.array(Examined),
    /** When the checks ended; an answer serves for some seconds. */
    at: Time,
    tookMs: z.int().nonnegative(),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof Diagnosis>;
