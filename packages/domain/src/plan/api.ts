import { z } from 'zod';
import { Time } from '../fields.ts';
import { partsOf } from '../stored.ts';
import type { MadePlan, Plan } from './model.ts';
import type { PolicyResult } from './policy.ts';
import { OTHER_STATES } from './other-state.ts';
import { CHANGE_ACTIONS, KNOWN_COUNTS, type KnownCount } from './summary.ts';

const PolicyVerdict = partsOf<PolicyResult>()(
  z.object({
    name: z.string(),
    enforce: z.enum(['advisory', 'required']),
    /** `error`: it could not be evaluated, which counts as a denial. */
    verdict: z.enum(['passed', 'denied', 'error']),
    denials: z.array(z.string()),
    warnings: z.array(z.string()),
    /** How many more lines there were. */
    omitted: z.int().optional(),
    /** Who may override it, in words. */
    owners: z.string().optional(),
  }),
);

const COUNTS = Object.fromEntries(KNOWN_COUNTS.map((name) => [name, z.int()])) as Readonly<
  Record<KnownCount, z.ZodInt> // As built.
>;

/** The changes that a plan would make. Values of resources are never part of it. */
export const PlanDetail = partsOf<Omit<Plan, 'made'> & Omit<MadePlan, 'version' | 'deploymentId' | 'order'>>()(
  z
    .object({
      digest: z.string(),
      hasChanges: z.boolean(),
      reviewRequired: z.boolean(),
      /** It was made of another state than the deployment before it left, or of none. */
      otherState: z.enum(OTHER_STATES).optional(),
      summary: z.object({
        ...COUNTS,
        /** Changes that this release does not know. */
        unknown: z.int().optional(),
        /** At most 200, those that are deleted first. */
        resources: z.array(
          z.object({
            address: z.string(),
            action: z.enum(CHANGE_ACTIONS),
            /** Terraform's words for an unknown action. */
            words: z.string().optional(),
          }),
        ),
        /** How many more there are. */
        omitted: z.int(),
      }),
      policies: z.array(PolicyVerdict).optional(),
      /** What Terraform warned of, and checks that failed. */
      warnings: z.object({ texts: z.array(z.string()), omitted: z.int().optional() }).optional(),
      /** Why it may be the plan of something else than its people think, so that a person reviews it: a clause. */
      doubt: z.string().optional(),
      /** It was made and reviewed before the merge. */
      beforeMerge: z.literal(true).optional(),
      /** When the wait for a review ends by itself. */
      expiresAt: Time.optional(),
    })
    .meta({ id: 'PlanDetail' }),
);
export type PlanDetail = z.infer<typeof PlanDetail>;
