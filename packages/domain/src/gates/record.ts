import { z } from 'zod';
import { envelopeOf } from '../deployment/record.ts';
import type { Stored } from '../stored.ts';

const text = z.string().min(1);
const repository = z.object({ owner: text, name: text });

/** Who says something, and why. */
const words = {
  version: z.literal(1),
  requestId: text,
  reason: text,
  by: text,
  byId: z.int().exactOptional(),
  at: z.iso.datetime(),
};

/** A skipped wave as control signed it. Its readers verify it. */
export const skippedSoakRecord = z.object({
  version: z.literal(1),
  skipped: envelopeOf({ ...words, repository, rollout: text, wave: z.int().min(1) }),
});
export type SkippedSoakRecord = Stored<typeof skippedSoakRecord>;

/** The results of the checks of a wave, as control signed them. Its readers verify it. */
export const waveChecksRecord = z.object({
  version: z.literal(1),
  checks: envelopeOf({
    version: z.literal(1),
    repository,
    rollout: text,
    wave: z.int().min(1),
    since: z.iso.datetime(),
    state: z.enum(['checking', 'passed', 'halted']),
    haltedBy: text.exactOptional(),
    at: z.iso.datetime(),
    results: z.array(z.object({ check: text, at: z.iso.datetime(), failures: z.int().min(0), answer: z.string() })),
  }),
});
export type WaveChecksRecord = Stored<typeof waveChecksRecord>;

/** A rollout one of whose waves has checks that are not over. Nobody has signed it. */
export const checkedRolloutRecord = z.object({
  version: z.literal(1),
  repository: z.object({ owner: text, name: text, installationId: z.int() }),
  rollout: text,
});
export type CheckedRolloutRecord = Stored<typeof checkedRolloutRecord>;

/** The terms of whichever stop, and of whichever exception. */
const terms = { ...words, until: z.iso.datetime() };

/** The stops of a repository as control signed them, also some that are over. Their readers verify them. */
export const stopsRecord = z.object({
  version: z.literal(1),
  /** When the last thaw was asked for: a stop that was asked for before it is not made again. */
  thawedAt: z.iso.datetime().exactOptional(),
  /** Who lets single deployments pass. */
  glass: z
    .array(envelopeOf({ ...terms, repository, deploymentId: text, digest: text.exactOptional() }))
    .exactOptional(),
  stops: z.array(envelopeOf({ ...terms, repository, directories: z.array(text) })),
});

/** The stops of pools as control signed them, also some that are over. Their readers verify them. */
export const poolStopsRecord = z.object({
  version: z.literal(1),
  /** When the last thaw of each pool was asked for: a stop of it that was asked for before is not made again. */
  thawed: z.array(z.object({ pool: text, at: z.iso.datetime() })),
  stops: z.array(envelopeOf({ ...terms, pool: text })),
});

const leaseholder = {
  deploymentId: text,
  repository,
  rootName: text,
  pool: text,
};

/** The leases of a budget. */
export const leasesRecord = z.object({
  version: z.literal(1),
  leases: z.array(z.object({ ...leaseholder, until: z.iso.datetime() })),
  waiting: z.array(z.object({ ...leaseholder, since: text, wokenAt: z.iso.datetime().exactOptional() })),
  served: z.array(text),
});
export type LeasesRecord = Stored<typeof leasesRecord>;

/** The reminders of the last review of a lane. */
export const remindedRecord = z.object({
  version: z.literal(1),
  deploymentId: text,
  /** The beginning of the wait, as the deployment tells it. */
  since: text,
  remindedMs: z.number(),
  isEscalated: z.boolean(),
});
export type RemindedRecord = Stored<typeof remindedRecord>;
