import { z } from 'zod';
import { FullName, RootName, Time } from '../fields.ts';
import { diskSpace, examination, slotCount } from './record.ts';

/** The operator who wants a host to drain, by login, and since when. */
const Drain = z.object({ by: z.string(), at: Time });

export const HostSummary = z
  .object({
    id: z.string(),
    pool: z.string(),
    state: z.enum(['ready', 'full', 'draining', 'away']),
    slots: slotCount,
    /** Those of them that previews may hold, and hold. */
    previews: slotCount.optional(),
    /**
     * The deployments that hold them, as far as the reader may see them: previews, and what ended a moment ago, are not among them.
     * Events leave it out.
     */
    runs: z.array(z.object({ id: z.string(), repository: FullName, rootName: RootName })).optional(),
    /** Of the file system of its data folder. */
    disk: diskSpace.optional(),
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

const CHECKED = {
  /** Whether nothing failed. */
  isHealthy: z.boolean(),
  examined: z.array(examination),
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
