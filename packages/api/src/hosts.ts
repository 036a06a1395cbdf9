import { z } from 'zod';
import { Time } from './fields.ts';

const Slots = z.object({ total: z.int(), used: z.int() });

export const HostSummary = z
  .object({
    id: z.string(),
    pool: z.string(),
    state: z.enum(['ready', 'full', 'draining', 'away']),
    slots: Slots,
    /** Those of them that previews may hold, and hold. */
    previews: Slots.optional(),
    release: z.string().optional(),
    startedAt: Time.optional(),
    /** When it was heard of last. */
    at: Time,
  })
  .meta({ id: 'HostSummary' });
export type HostSummary = z.infer<typeof HostSummary>;

/** All hosts, those that are away first. */
export const HostList = z.object({ items: z.array(HostSummary) }).meta({ id: 'HostList' });
export type HostList = z.infer<typeof HostList>;
