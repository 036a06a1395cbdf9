/** Deployments as lists have them. */
import { z } from 'zod';
import { Cursor, FullName, RootName } from './fields.ts';
import { DeploymentBrief, Unavailable } from './lanes.ts';

export const ListedDeployment = DeploymentBrief.extend({ repository: FullName, rootName: RootName }).meta({
  id: 'ListedDeployment',
});
export type ListedDeployment = z.infer<typeof ListedDeployment>;

/** Those that wait or run, the newest first; then those that ended, the latest end first. `next` is absent on the last page. */
export const DeploymentList = z
  .object({ items: z.array(ListedDeployment), next: Cursor.optional(), unavailable: Unavailable })
  .meta({ id: 'DeploymentList' });
export type DeploymentList = z.infer<typeof DeploymentList>;
