/** Removes what was kept of previews for their merge: the plans, and the reviews of people. */
import type { PreviewRef } from '@nereid/domain/pull-request';
import { poolOf, type Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import { AT_ONCE } from './previews.ts';

type Context = Pick<WorkerContext, 'mergeReviews' | 'keptPlans'>;

/**
 * Replaced previews lose plan and review. One that the base has outdated loses its plan; its review stays for the sentence that
 * says why it does not count: no merge has those files any more. A record that is gone already is not a failure.
 */
export async function forgetForMerge(
  context: Context,
  repository: Pick<Repository, 'owner' | 'name'>,
  { replaced, current = [] }: { readonly replaced: readonly PreviewRef[]; readonly current?: readonly PreviewRef[] },
): Promise<void> {
  const { mergeReviews, keptPlans } = context;
  const outdated = current.filter(({ outdatedBy }) => outdatedBy !== undefined);
  const options = { concurrency: AT_ONCE };
  // The reviews go first: without a review, nobody looks for its plan.
  await pMap(replaced, (one) => mergeReviews.remove(repository, one.rootName, one.deploymentId), options);
  const plans = [...replaced, ...outdated];
  await pMap(plans, (one) => keptPlans.of(poolOf(one)).remove(one.deploymentId), options);
}
