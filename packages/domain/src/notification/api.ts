/** The destinations of notifications, as the API shows them to operators. */
import { z } from 'zod';
import { Time } from '../fields.ts';

export const DestinationSummary = z
  .object({
    name: z.string(),
    /** As in the server's file. */
    kind: z.string(),
    /** `stuck`: it has taken nothing for an hour. `unread`: storage does not say. */
    state: z.enum(['fine', 'failing', 'stuck', 'refused', 'unread']),
    /** For people. */
    sentence: z.string(),
    /** 1,000 stands for more. */
    waiting: z.int().nonnegative().optional(),
    /** Until when it is left alone, or when its next digest comes: for people. */
    hours: z.string().optional(),
    /** How many were dropped so far, because they were too many or too old. */
    dropped: z.int().nonnegative(),
    deliveredAt: Time.optional(),
    /** `reason` is absent if the last notification was taken. */
    lastAttempt: z.object({ at: Time, tookMs: z.number(), reason: z.string().optional() }).optional(),
  })
  .meta({ id: 'DestinationSummary' });
export type DestinationSummary = z.infer<typeof DestinationSummary>;

/** In the order of the server's file. */
export const DestinationList = z.object({ items: z.array(DestinationSummary) }).meta({ id: 'DestinationList' });
export type DestinationList = z.infer<typeof DestinationList>;
