import { z } from 'zod';
import { HOST_ACTIONS } from '../actions/actions.ts';
import type { Stored } from '../stored.ts';

const text = z.string().min(1);

export const slotCount = z.object({ total: z.int(), used: z.int() });

export const diskSpace = z.object({ freeBytes: z.number(), totalBytes: z.number() });

/** A host's report about itself, written every few seconds. */
export const hostRecord = z.object({
  version: z.literal(1),
  hostId: text,
  /** Absent for `default`. */
  pool: text.exactOptional(),
  /** ISO 8601, by the host's own clock. */
  at: z.iso.datetime(),
  slots: slotCount,
  /** Those of them that previews may keep, and hold. */
  previews: slotCount.exactOptional(),
  /** Of the file system of its data folder. */
  disk: diskSpace.exactOptional(),
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

/** The finding of one check and, if it is not good, what to do. */
export const examination = z.object({
  /** Of the check; a check may have found several things. */
  name: ownWords,
  /** `skip`: there is nothing to check. */
  outcome: z.enum(['ok', 'warn', 'fail', 'skip']),
  found: ownWords,
  remedy: ownWords.exactOptional(),
});

/** The findings of a worker's own checks, some minutes old at most. For operators only: it names buckets and machines. */
export const workerDiagnosis = z.object({
  version: z.literal(1),
  /** Of the worker, also of one that is no host. */
  hostId: text.max(100),
  roles: z.array(ownWords).max(10),
  /** When the checks ended, ISO 8601, by the worker's own clock. */
  at: z.iso.datetime(),
  tookMs: z.number().nonnegative(),
  examined: z.array(examination).max(100),
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
