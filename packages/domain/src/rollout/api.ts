import { z } from 'zod';
import { DeploymentBrief } from '../deployment/api.ts';
import { FullName, RootName, Time, Unavailable } from '../fields.ts';
import { AWAITED_NAMED } from './rules/awaited.ts';
import { STANDS } from './rules/stand.ts';

export { STANDS };
export const Stand = z.enum(STANDS).meta({ id: 'Stand' });
export type Stand = z.infer<typeof Stand>;

/** A phase of a deployment, with its times; without `to`, it goes on. */
export const Phase = z
  .object({ name: z.enum(['queued', 'planning', 'review', 'applying']), from: Time, to: Time.optional() })
  .meta({ id: 'Phase' });
export type Phase = z.infer<typeof Phase>;

/** One revision of a branch with all the roots that it deploys. Texts come from commits and may be hostile. */
export const RolloutSummary = z
  .object({
    repository: FullName,
    sha: z.string(),
    title: z.string(),
    author: z.string(),
    /** When its first deployment was asked for. */
    at: Time,
    /** How many of its roots stand where; what is absent is none. */
    counts: z.partialRecord(Stand, z.int()),
    /**
     * Why its next wave is halted, and what resumes it, as lanes say it: a sentence, which may quote the answer of a check and be
     * hostile. Absent while nothing halts it, or no deployment waits for that.
     */
    halted: z.string().optional(),
  })
  .meta({ id: 'RolloutSummary' });
export type RolloutSummary = z.infer<typeof RolloutSummary>;

/** A wave begins when those before it are over. Its number counts from 1. */
export const Wave = z.object({ name: z.string(), number: z.int().min(1), of: z.int().min(2) }).meta({ id: 'Wave' });

/** Of the last days, the newest first, at most 50. */
export const RolloutList = z
  .object({ items: z.array(RolloutSummary), unavailable: Unavailable })
  .meta({ id: 'RolloutList' });
export type RolloutList = z.infer<typeof RolloutList>;

/**
 * Of each root the newest deployment of the revision, those that need a person first. One that was skipped for a newer one, its
 * `carrier`, is `done` once a revision that contains it was applied, which is the carrier then.
 */
export const RolloutDetail = RolloutSummary.extend({
  deployments: z.array(
    DeploymentBrief.extend({
      rootName: RootName,
      stand: Stand,
      phases: z.array(Phase),
      /** The roots of the rollout that go before it: the first of them, and how many there are. */
      waitsFor: z.array(RootName).max(AWAITED_NAMED),
      waitsForCount: z.int().min(0),
      /** Its wave of the merge; absent where it waits for none. */
      wave: Wave.optional(),
      /** Why it is blocked, as a clause. It may quote what the forge answered, and be hostile. */
      reason: z.string().optional(),
    }),
  ),
  /**
   * What its next wave waits for, and what then: a sentence or two, which may quote the answer of a check and be hostile. Absent where
   * `halted` says so, and while no deployment waits for a wave.
   */
  nextWave: z.string().optional(),
  /** The number of the wave that deployments wait for, which `skip-soak` takes. Absent while none waits for a wave. */
  awaitedWave: z.int().min(1).optional(),
  unavailable: Unavailable,
}).meta({ id: 'RolloutDetail' });
export type RolloutDetail = z.infer<typeof RolloutDetail>;
