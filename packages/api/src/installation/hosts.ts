import { z } from 'zod';
import { FullName, RootName, Time } from '../fields.ts';

const Slots = z.object({ total: z.int(), used: z.int() });

/** The operator who wants a host to drain, by login, and since when. */
const Drain = z.object({ by: z.string(), at: Time });

export const HostSummary = z
  .object({
    id: z.string(),
    pool: z.string(),
    state: z.enum(['ready', 'full', 'draining', 'away']),
    slots: Slots,
    /** Those of them that previews may hold, and hold. */
    previews: Slots.optional(),
    /**
     * The deployments that hold them, as far as the reader may see them: previews, and what ended a moment ago, are not among them.
     * Events leave it out.
     */
    runs: z.array(z.object({ id: z.string(), repository: FullName, rootName: RootName })).optional(),
    /** Of the file system of its data folder. */
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).optional(),
    release: z.string().optional(),
    startedAt: Time.optional(),
    /** When it was heard of last. */
    at: Time,
    /** Absent also while it drains because it stops. */
    drain: Drain.optional(),
  })
  .meta({ id: 'HostSummary' });
export type HostSummary = z.infer<typeof HostSummary>;

/** A host that was stopped, and does not take work when it starts again. */
export const StoppedHost = z.object({ id: z.string(), drain: Drain }).meta({ id: 'StoppedHost' });
export type StoppedHost = z.infer<typeof StoppedHost>;

/** All hosts, those that are away first. */
export const HostList = z
  .object({ items: z.array(HostSummary), stopped: z.array(StoppedHost) })
  .meta({ id: 'HostList' });
export type HostList = z.infer<typeof HostList>;
