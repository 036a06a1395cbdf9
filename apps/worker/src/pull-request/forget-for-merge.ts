/** Removes what was kept of previews for their merge: the plans, and the reviews of people. */
import type { PreviewRef, Repository } from '@nereid/contracts';
import pMap from 'p-map';
import type { WorkerContext } from '../context.ts';
import { AT_ONCE } from './previews.ts';

/** The review goes first: without it, nobody looks for the plan. What is gone already is no failure. */
export async function forgetForMerge(
  { mergeReviews, keptPlans }: Pick<WorkerContext, 'mergeReviews' | 'keptPlans'>,
  repository: Pick<Repository, 'owner' | 'name'>,
  previews: readonly PreviewRef[],
): Promise<void> {
  await pMap(
    previews,
    async ({ rootName, deploymentId }) => {
      await mergeReviews.remove(repository, rootName, deploymentId);
      await keptPlans.remove(deploymentId);
    },
    { concurrency: AT_ONCE },
  );
}
