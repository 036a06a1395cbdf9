/** Decides whether links carry a key: everybody in the world reads the check runs and comments of a public repository. */
import type { Secret } from '@nereid/config';
import type { Repository } from '@nereid/domain/root';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import { isReadByEverybody } from './visibility.ts';

/** Undefined when the links of this repository carry no key. Never throws: what is written is written without a key. */
export async function linkSecret(
  context: OfForge<'repositories'> & Pick<WorkerContext, 'config' | 'logger'>,
  repository: Repository,
  answeredWithinMs?: number,
): Promise<Secret | undefined> {
  const { key, keyedRepositories } = context.config.links;
  if (key === undefined || keyedRepositories === 'all') return key;
  return (await isReadByEverybody(context, repository, answeredWithinMs)) === false ? key : undefined;
}
