import { z } from 'zod';
import { HOST_ACTIONS } from '../actions/actions.ts';
import type { Stored } from '../stored.ts';

const text = z.string().min(1);

const SlotCount = z.object({ total: z.number(), used: z.number() });

/** What a host reports about itself every few seconds. */
export const hostRecord = z.object({
  version: z.literal(1),
  hostId: text,
  /** Absent for `default`. */
  pool: text.exactOptional(),
  /** ISO 8601, by the host's own clock. */
  at: z.iso.datetime(),
  slots: SlotCount,
  /** Those of them that previews may keep, and hold. */
  previews: SlotCount.exactOptional(),
  /** Of the file system of its data folder. */
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).exactOptional(),
  /** The deployments and previews that hold its slots, by id: a hundred at most. */
  runs: z.array(text).exactOptional(),
  /** The host takes no more claims. */
  draining: z.boolean(),
  /** When its process began. ISO 8601, by the host's own clock. */
  startedAt: z.iso.datetime().exactOptional(),
  /** The release of the worker, like `1.2.3`. */
  release: text.exactOptional(),
});
export type HostRecord = Stored<typeof hostRecord>;

/** A host that was taken over writes what it likes, and operators read it. */
const ownWords = z.string().max(4_000);

/** What one check found, and if that is not good, what to do. `skip`: there is nothing to check. */
export const examined = z.object({
  name: ownWords,
  outcome: z.enum(['ok', 'warn', 'fail', 'skip']),
  found: ownWords,
  remedy: ownWords.exactOptional(),
});

/** What a worker's own checks found, some minutes ago at most. For operators only: it names buckets and machines. */
export const workerDiagnosis = z.object({
  version: z.literal(1),
  /** Of the worker, also of one that is no host. */
  hostId: text.max(100),
  roles: z.array(ownWords).max(10),
  /** When the checks ended, ISO 8601, by the worker's own clock. */
  at: z.iso.datetime(),
  tookMs: z.number().nonnegative(),
  examined: z.array(examined).max(100),
});
export type WorkerDiagnosis = Stored<typeof workerDiagnosis>;

/** The last request of an operator about a host. */
export const drainRecord = z.object({
  version: z.literal(1),
  hostId: text,
  /** After `resume`, the record stays: an older request to drain, made again by whoever kept it, must not win. */
  action: z.enum(HOST_ACTIONS),
  requestId: text,
  /** Login of the operator. */
  by: text,
  byId: z.number().exactOptional(),
  /** When they asked. ISO 8601. */
  at: z.iso.datetime(),
});
export type DrainRecord = Stored<typeof drainRecord>;
