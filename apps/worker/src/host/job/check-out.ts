/** Checks out the revision of a job, as large as the server's file allows. */
import type { CheckOut, TreeLimit } from '@nereid/git';
import type { HostTools } from './tools.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

/** Returns the absolute path of the tree. */
export function checkOutForJob(
  { context }: Pick<HostTools, 'context'>,
  { deploymentId, repository, revision }: OpenedJob,
  wanted: Pick<CheckOut, 'at' | 'signal' | 'authorization'>,
): Promise<string> {
  const limit = treeLimit({ context });
  return context.mirrors.checkOut({ repository, sha: revision.sha, deploymentId, limit, ...wanted });
}

export function treeLimit({ context }: Pick<HostTools, 'context'>): TreeLimit {
  return { bytes: context.server.current().terraform.treeBytes, setting: 'terraform.tree_gb' };
}
