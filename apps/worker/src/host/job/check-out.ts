/** Checks out the revision of a job, as large as the server's file allows. */
import type { HostJob } from '@nereid/domain/deployment';
import type { CheckOut, TreeLimit } from '@nereid/git';
import type { HostTools } from './tools.ts';

/** Returns the absolute path of the tree. */
export function checkOutForJob(
  { context }: Pick<HostTools, 'context'>,
  { deploymentId, repository, revision }: HostJob,
  wanted: Pick<CheckOut, 'at' | 'signal' | 'authorization'>,
): Promise<string> {
  const limit = treeLimit({ context });
  return context.mirrors.checkOut({ repository, sha: revision.sha, deploymentId, limit, ...wanted });
}

export function treeLimit({ context }: Pick<HostTools, 'context'>): TreeLimit {
  return { bytes: context.server.current().terraform.treeBytes, setting: 'terraform.tree_gb' };
}
