import type { PreviewSubject } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { pullRequestPageUrl } from '@nereid/texts';
import type { OfForge, WorkerContext } from '../platform/context.ts';
import { linkSecret } from '../lane/show/link-secret.ts';

/**
 * The page with all plans of a pull request. A group of a merge queue has none: what people know of it is its pull requests.
 * `from`, ISO 8601: the time from which the life of the link counts.
 */
export async function planPageUrl(
  context: OfForge<'pages' | 'repositories'> & Pick<WorkerContext, 'config' | 'logger'>,
  repository: Repository,
  { number, group }: PreviewSubject,
  from: string,
): Promise<string> {
  const { links } = context.config;
  if (group !== undefined) return context.forge.pages.pullRequest(repository, number);
  const secret = await linkSecret(context, repository);
  const { owner, name } = repository;
  return pullRequestPageUrl(links.consoleUrl, secret && { secret: secret.reveal(), from }, { owner, name, number });
}
