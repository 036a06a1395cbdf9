import type { Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { StoredMergeReview } from '@nereid/domain/plan';
import type { WorkerContext } from '../platform/context.ts';

/** The review of a preview's plan before the merge; undefined where nobody has confirmed it. */
export async function readConfirmation(
  { mergeReviews }: Pick<WorkerContext, 'mergeReviews'>,
  repository: Repository,
  { id, root, preview }: Deployment,
): Promise<StoredMergeReview | undefined> {
  return preview?.forMerge && (await mergeReviews.read(repository, root.name, id));
}

/** The preview with the person who confirmed its plan, whatever a record of it says that may be older. */
export function withConfirmation(preview: Deployment, stored: StoredMergeReview | undefined): Deployment {
  const { confirmedForMerge: _older, ...rest } = preview;
  const review = stored?.review.body;
  return {
    ...rest,
    ...(review && { confirmedForMerge: { by: review.by, at: review.at } }),
  };
}
