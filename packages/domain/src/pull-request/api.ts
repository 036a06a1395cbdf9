/** The plans of a pull request. Titles, reasons and lines may be hostile. */
import { z } from 'zod';
import { Progress, SilentSources } from '../deployment/api.ts';
import { RootName, Time } from '../fields.ts';

const Sha = z.string();

const Conclusion = z.enum(['success', 'failure', 'neutral', 'action_required']);

/** Of a root that the merge would change. */
export const PullRequestPlan = z
  .object({
    rootName: RootName,
    /** The preview that made it. */
    deploymentId: z.string(),
    /** The commit of the base that changed the root since. */
    outdatedBy: Sha.optional(),
    /** The newest commit of the base that it contains and that is not deployed. */
    ahead: Sha.optional(),
    /** The merge removes the root: what its state holds is listed, and nothing is planned. */
    isRemoval: z.literal(true).optional(),
    /** Storage did not answer. */
    isUnread: z.boolean(),
    /** Absent when its record is gone or unread. */
    planned: z
      .object({
        dir: z.string(),
        workspace: z.string(),
        receivedAt: Time,
        /** Sentences that a person has to read before they confirm the plan. */
        warnings: z.array(z.string()),
        progress: Progress,
        /** It is under way, and nobody knows how far. */
        isVague: z.boolean(),
        /** Whose confirmation the merge will find. */
        confirmedForMerge: z.object({ by: z.string(), at: Time }).optional(),
      })
      .optional(),
    /** Present when the plan may be confirmed for the merge: as `seen` of a deployment. */
    seen: z.string().optional(),
    /** Its page, from the console's top. */
    path: z.string(),
  })
  .meta({ id: 'PullRequestPlan' });
export type PullRequestPlan = z.infer<typeof PullRequestPlan>;

export const PullRequestDetail = z
  .object({
    pull: z.object({ owner: z.string(), name: z.string(), number: z.int() }),
    title: z.string().optional(),
    /** What its check run says, in one line. */
    headline: z.string(),
    /** Absent before it is looked at. */
    look: z
      .object({ isOpen: z.boolean(), headSha: Sha, baseBranch: z.string(), baseSha: Sha.optional(), at: Time })
      .optional(),
    /** Why nothing is planned. */
    verdict: z.object({ conclusion: Conclusion, title: z.string(), lines: z.array(z.string()) }).optional(),
    /** How many more roots the merge would change. */
    unplanned: z.int(),
    /** About the configuration that the merge would give. */
    configWarnings: z.array(z.string()).optional(),
    /** By the names of their roots. */
    previews: z.array(PullRequestPlan),
    /** Earlier heads, the newest first. */
    heads: z.array(
      z.object({
        headSha: Sha,
        at: Time,
        title: z.string().optional(),
        conclusion: Conclusion.optional(),
        /** On the forge. */
        commit: z.string(),
      }),
    ),
    unavailable: SilentSources,
    /** Absolute addresses. */
    links: z.object({
      pullRequest: z.string(),
      commit: z.string().optional(),
      checkRun: z.string().optional(),
      workflow: z.string().optional(),
    }),
  })
  .meta({ id: 'PullRequestDetail' });
export type PullRequestDetail = z.infer<typeof PullRequestDetail>;
