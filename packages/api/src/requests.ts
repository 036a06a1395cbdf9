/** What people ask for: the bodies of requests that change something, and their answers. */
import { z } from 'zod';
import { FullName, RootName } from './fields.ts';

/** SHA-256 of everything that is shown of a plan, as `seen` in the answer that shows it. */
const Seen = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: '`seen` of the plan that was looked at: another plan is not confirmed.' });

const Sha = z.string().regex(/^[0-9a-f]{40}$/);

/** More are two requests. */
const ROOTS_LIMIT = 100;

export const ReviewBody = z
  .strictObject({ answer: z.enum(['approved', 'rejected']), seen: Seen })
  .meta({ id: 'ReviewBody' });

export const OverrideBody = z.strictObject({ seen: Seen }).meta({ id: 'OverrideBody' });

export const DeployBody = z
  .strictObject({
    repository: FullName,
    revision: Sha.meta({ description: 'A commit of the deployed branch.' }),
    roots: z.array(RootName).min(1).max(ROOTS_LIMIT),
  })
  .meta({ id: 'DeployBody' });

export const PlanBody = z
  .strictObject({ roots: z.array(RootName).max(ROOTS_LIMIT).default([]) })
  .meta({ id: 'PlanBody', description: 'No roots: all that the pull request modifies.' });

export const MergeReviewBody = z
  .strictObject({ root: RootName, preview: z.uuid(), seen: Seen })
  .meta({ id: 'MergeReviewBody' });

export const UnlockBody = z
  .strictObject({
    deployment: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: '`deploymentId` of the lock that was looked at: another lock stays.' }),
  })
  .meta({ id: 'UnlockBody' });

export const NoBody = z.strictObject({}).meta({ id: 'NoBody' });

/** What came of a request. */
export const RequestAnswer = z
  .object({
    id: z.string(),
    /** `pending`: it is under way; ask for it again. */
    state: z.enum(['accepted', 'pending']),
    /** For the person who asked. */
    sentence: z.string(),
    /** The deployments that were ordered, at most 100; absent when there are none. They appear in their lanes a moment later. */
    deployments: z.array(z.object({ id: z.string(), rootName: z.string() })).optional(),
  })
  .meta({ id: 'RequestAnswer' });
export type RequestAnswer = z.infer<typeof RequestAnswer>;
