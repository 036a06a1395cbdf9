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

const CHECKED = {
  /** Whether nothing failed. */
  isHealthy: z.boolean(),
  examined: z.array(Examined),
  /** When the checks ended; those of the console serve for some seconds, those of a worker for ten minutes. */
  at: Time,
  tookMs: z.int().nonnegative(),
};

export const Diagnosis = z
  .object({
    /** Whose checks these are. */
    process: z.string(),
    ...CHECKED,
    /** What the workers that run say of themselves, control before hosts, the worst first: two hundred at most. */
    workers: z
      .array(
        z.object({
          /** Of a host, the one that it has in the list of hosts. */
          id: z.string(),
          roles: z.array(z.string()),
          ...CHECKED,
        }),
      )
      .optional(),
    /** Storage does not answer, so nothing is known of workers. */
    workersUnread: z.literal(true).optional(),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof Diagnosis>;
