/** Why a request goes no further than here: what it is about is not there for this person, or is for operators. */
import { ACTIONS, type ConsoleAction, type Subject } from '@nereid/domain/actions';
import type { Logger } from 'pino';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { sightOf, type SightSources } from '../access/sight.ts';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import type { Message } from '../platform/http/send-message.ts';
import { sentenceOf } from './answers.ts';
import type { Input } from './find-target.ts';
import type { Wanted } from './make-request.ts';

export interface RefusalSources extends SightSources, Pick<RepositoryAccess, 'maySeeNow'> {
  readonly logger: Pick<Logger, 'warn'>;
}

/** Undefined for a request that control is to judge. `absent` is the answer for what is not there, or not for this person. */
export async function whyNotThere(
  sources: RefusalSources,
  visitor: KnownVisitor,
  wanted: Wanted,
  absent: Message,
): Promise<Message | undefined> {
  if ('repository' in wanted) return (await sources.maySeeNow(visitor, wanted.repository)) ? undefined : absent;
  // Control refuses them too, but what it refuses is audited: anybody could fill the trail with it.
  const why = sources.operatorRights.whyNot(visitor.person, wanted.request.action);
  if (why === undefined) return undefined;
  if (!(await sightOf(sources, visitor).isInsider())) return absent;
  sources.logger.warn(
    { login: visitor.person.login, ...wanted.request },
    'somebody who may not asked for what operators may',
  );
  return { status: 403, title: 'Not allowed', sentence: sentenceOf(why) };
}

/** Tells nobody whether something is not there, or not for them: it repeats only what they have said. */
export function notThere(action: ConsoleAction, { owner, name, root }: Input['parameters']): Message {
  const repository = `${owner}/${name}`;
  switch (ACTIONS[action].about) {
    case 'repository':
      return notFound(`Expected a repository ${KNOWN}, found ${repository}. ${LISTED}`);
    case 'lane':
      return notFound(`Expected a root ${KNOWN}, found ${repository}/${root}. ${LISTED}`);
    default:
      return noSuch(action);
  }
}

const KNOWN = 'that Nereid has deployed to, and that you may see';
const LISTED = 'Check the name: the list of lanes has all of them.';

/** The same for what has no name that people know. */
export function noSuch(action: ConsoleAction): Message {
  return notFound(`There is no such ${NOUNS[ACTIONS[action].about]}, or none that you may see.`);
}

function notFound(sentence: string): Message {
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
