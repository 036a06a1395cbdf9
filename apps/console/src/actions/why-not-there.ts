/** Why a request goes no further than here: what it is about is not there for this person, or is for operators. */
import { ACTIONS, type ConsoleAction, type Subject } from '@nereid/domain/actions';
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
  action: ConsoleAction,
  wanted: Wanted,
): Promise<Message | undefined> {
  if ('repository' in wanted)
    return (await sources.maySeeNow(visitor, wanted.repository)) ? undefined : notThere(action);
  // Control refuses them too, but what it refuses is audited: anybody could fill the trail with it.
  const why = sources.operatorRights.whyNot(visitor.person, wanted.request.action);
  if (why === undefined) return undefined;
  if (!(await sightOf(sources, visitor).isInsider())) return notThere(action);
  sources.logger.warn(
    { login: visitor.person.login, ...wanted.request },
    'somebody who may not asked for what operators may',
  );
  return { status: 403, title: 'Not allowed', sentence: sentenceOf(why) };
}

/** The same whether it is not there or not for them: nobody learns which. */
export function notThere(action: ConsoleAction): Message {
  const sentence = `There is no such ${NOUNS[ACTIONS[action].about]}, or none that you may see.`;
  return { status: 404, title: 'Not found', sentence };
}

const NOUNS: Readonly<Record<Subject, string>> = {
  plan: 'deployment',
  deployment: 'deployment',
  preview: 'pull request',
  'pull-request': 'pull request',
  lane: 'lane',
  repository: 'repository',
  host: 'host',
  destination: 'destination',
  pool: 'pool',
};
