import { z } from 'zod';
import { FullName, MissingDays } from '@nereid/domain/fields';

const Seconds = z.number();

/** Undefined where nothing was measured. */
const Spread = z.object({ median: Seconds, p90: Seconds, count: z.int() }).optional();

export const Insights = z
  .object({
    days: z.union([z.literal(7), z.literal(30), z.literal(90)]),
    repository: FullName.optional(),
    /** Oldest first; a day in UTC. */
    perDay: z.array(z.object({ day: z.iso.date(), succeeded: z.int(), failed: z.int(), other: z.int() })),
    mergeToApplied: Spread,
    inReview: Spread,
    /** From a failed deployment to the next one of the same root that succeeded. */
    timeToRestore: Spread,
    /** Of the deployments that were to be applied, 0 to 1. */
    failureRate: z.number().optional(),
    busiest: z.array(z.object({ repository: z.string(), rootName: z.string(), deployments: z.int(), failed: z.int() })),
    missing: MissingDays,
  })
  .meta({ id: 'Insights' });
export type Insights = z.infer<typeof Insights>;
