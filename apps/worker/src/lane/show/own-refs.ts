/**
 * The numbers of check runs come through Temporal, where somebody can name those of another deployment, or the required check of
 * a pull request. A deployment writes only to check runs that the forge has under its name and its id.
 */
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { CheckRunContent } from '@nereid/forge';
import type { OfForge, WorkerContext } from '../../platform/context.ts';

/** Those of the refs that the forge has under the name and the id of the content, on its commit. */
export async function ownRefs(
  { forge, logger }: OfForge<'status'> & Pick<WorkerContext, 'logger'>,
  repository: Repository,
  refs: readonly CheckRunRef[],
  { headSha, name, externalId }: Pick<CheckRunContent, 'headSha' | 'name' | 'externalId'>,
): Promise<readonly CheckRunRef[]> {
  const own = new Set((await forge.status.find(repository, headSha, name, externalId)).map(({ id }) => id));
  const others = refs.filter(({ id }) => !own.has(id)).map(({ id }) => id);
  if (others.length > 0)
    logger.error(
      { checkRuns: others, deployment: externalId },
      'check runs are not those of their deployment: not written',
    );
  return refs.filter(({ id }) => own.has(id));
}
