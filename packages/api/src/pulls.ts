import { z } from 'zod';
import { DeploymentSummary } from './deployments.ts';
import { FullName, PullRequestNumber, RootName, Sha, Unavailable } from './fields.ts';

/** The plans of a pull request. */
export const PullRequestDetail = z
  .object({
    repository: FullName,
    number: PullRequestNumber,
    isOpen: z.boolean(),
    headSha: Sha.optional(),
    /** One line: what its check run says. */
    title: z.string(),
    lines: z.array(z.string()),
    plans: z.array(z.object({ rootName: RootName, preview: DeploymentSummary.optional(), isOutdated: z.boolean() })),
    unavailable: Unavailable,
  })
  .meta({ id: 'PullRequestDetail' });
export type PullRequestDetail = z.infer<typeof PullRequestDetail>;
