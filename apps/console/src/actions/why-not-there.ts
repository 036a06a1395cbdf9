/** Why a request goes no further than here: what it is about is not there for this person, or is for operators. */
import type { Logger } from 'pino';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { sightOf, type SightSources } from '../access/sight.ts';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import type { Message } from '../platform/http/send-message.ts';
import { sentenceOf } from './answers.ts';
import type { Wanted } from './make-request.ts';

export interface RefusalSources extends SightSources, Pick<RepositoryAccess, 'maySeeNow'> {
  readonly logger: Pick<Logger, 'warn'>;
}

/** Undefined for a request that control is to judge. */
export async function whyNotThere(
  sources: RefusalSources,
  visitor: KnownVisitor,
  wanted: Wanted,
): Promise<Message | undefined> {
  if ('repository' in wanted) return (await sources.maySeeNow(visitor, wanted.repository)) ? undefined : NOT_THERE;
  // Control refuses them too, but what it refuses is audited: anybody could fill the trail with it.
  const why = sources.operatorRights.whyNot(visitor.person, wanted.request.action);
  if (why === undefined) return undefined;
  if (!(await sightOf(sources, visitor).isInsider())) return NOT_THERE;
  sources.logger.warn(
    { login: visitor.person.login, ...wanted.request },
    'somebody who may not asked for what operators may',
  );
  return { status: 403, title: 'Not allowed', sentence: sentenceOf(why) };
}

export const NOT_THERE: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such thing, or none that you may see.',
};
