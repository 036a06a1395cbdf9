import { z } from 'zod';
import { FullName, RootName, Sha } from './fields.ts';

/** A person's request for a plan: the digest names the plan that the person has seen. */
const Digest = z
  .string()
  .regex(/^[\da-f]{12,64}$/)
  .meta({ description: 'The digest of the plan, at least its first 12 hex digits.' });

export const ReviewRequest = z
  .object({ answer: z.enum(['approved', 'rejected']), digest: Digest })
  .strict()
  .meta({ id: 'ReviewRequest' });
export type ReviewRequest = z.infer<typeof ReviewRequest>;

export const PlanAnswerRequest = z.object({ digest: Digest }).strict().meta({ id: 'PlanAnswerRequest' });
export type PlanAnswerRequest = z.infer<typeof PlanAnswerRequest>;

export const DeployRequest = z
  .object({
    repository: FullName,
    revision: Sha,
    rootNames: z.array(RootName).min(1).max(100),
  })
  .strict()
  .meta({ id: 'DeployRequest' });
export type DeployRequest = z.infer<typeof DeployRequest>;

export const PlanRequestBody = z
  .object({ rootNames: z.array(RootName).max(100).default([]) })
  .strict()
  .meta({ id: 'PlanRequestBody' });
export type PlanRequestBody = z.infer<typeof PlanRequestBody>;

/** What came of a request. */
export const RequestOutcome = z
  .object({
    /** `accepted`: it was done, or is under way. `refused`: nothing was changed. `pending`: there is no answer yet. */
    kind: z.enum(['accepted', 'refused', 'pending']),
    sentence: z.string(),
    /** The id by which the request can be asked about. */
    id: z.string(),
  })
  .meta({ id: 'RequestOutcome' });
export type RequestOutcome = z.infer<typeof RequestOutcome>;
