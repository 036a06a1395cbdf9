import { z } from 'zod';
import { DeploymentSummary } from './deployments.ts';
import { FullName, listOf, PullRequestNumber, RevisionSummary, Time, Unavailable } from './fields.ts';

const rollout = {
  repository: FullName,
  revision: RevisionSummary,
  pullRequest: PullRequestNumber.optional(),
  at: Time,
  /** How many of its roots stand where. */
  counts: z.object({
    total: z.int(),
    done: z.int(),
    failed: z.int(),
    review: z.int(),
    working: z.int(),
    waiting: z.int(),
    left: z.int(),
  }),
};

/** One revision with all its roots, as lists show it. */
export const RolloutSummary = z.object(rollout).meta({ id: 'RolloutSummary' });
export type RolloutSummary = z.infer<typeof RolloutSummary>;

export const RolloutList = listOf(RolloutSummary).meta({ id: 'RolloutList' });
export type RolloutList = z.infer<typeof RolloutList>;

/** One revision with all its deployments, of each root the newest, those that need a person first. */
export const RolloutDetail = z
  .object({ ...rollout, deployments: z.array(DeploymentSummary), unavailable: Unavailable })
  .meta({ id: 'RolloutDetail' });
export type RolloutDetail = z.infer<typeof RolloutDetail>;
