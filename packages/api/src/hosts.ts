import { z } from 'zod';
import { DeploymentSummary } from './deployments.ts';
import { listOf, Time } from './fields.ts';

const Slots = z.object({ total: z.int(), used: z.int() });

export const HostSummary = z
  .object({
    id: z.string(),
    pool: z.string(),
    state: z.enum(['ready', 'full', 'draining', 'away']),
    slots: Slots,
    previews: Slots.optional(),
    /** What runs there, as far as the viewer may read it. */
    running: z.array(DeploymentSummary),
    release: z.string().optional(),
    startedAt: Time.optional(),
    /** When it was heard of last. */
    at: Time,
  })
  .meta({ id: 'HostSummary' });
export type HostSummary = z.infer<typeof HostSummary>;

export const HostList = listOf(HostSummary).meta({ id: 'HostList' });
export type HostList = z.infer<typeof HostList>;
