/** Control says which repositories a person may read, and signs it: whoever reaches Temporal cannot show anybody anything. */
import { policyFor } from '@nereid/config';
import {
  ACCESS_LIMIT,
  LOGIN,
  type AccessActivities,
  type AccessAnswer,
  type AccessRequest,
} from '@nereid/domain/person';
import { fullName, type Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { ReaderFound } from '@nereid/forge';
import type { OfForge, WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';

/** Nobody who is one of us asks so much at once, or for such names. */
class UnreadableQuestionError extends Error {
  override readonly name = 'UnreadableQuestionError';
  readonly code = 'UNREADABLE_QUESTION';

  constructor() {
    super(`expected a login and at most ${ACCESS_LIMIT} repositories, found something else; upgrade the console`);
  }
}

type Tools = OfForge<'people' | 'repositories'> & Pick<WorkerContext, 'server' | 'signatures'>;

export function createAccessActivities(tools: Tools): AccessActivities {
  return withFailures({ askAccess: (request) => askAccess(tools, request) } satisfies AccessActivities);
}

async function askAccess(tools: Tools, request: AccessRequest): Promise<Signed<AccessAnswer>> {
  if (!isReadable(request)) throw new UnreadableQuestionError();
  const found = await Promise.all(request.repositories.map((named) => findReader(tools, request.login, named)));
  const mayRead = found.map((each) => each.mayRead);
  const ageMs = Math.round(Math.max(0, ...found.map((each) => each.ageMs)));
  const { login, nonce } = request;
  const repositories = request.repositories.map(({ owner, name }) => ({ owner, name }));
  const answer = { mayRead, at: new Date().toISOString(), ageMs };
  return tools.signatures.enclose('decision/access', { version: 1, login, repositories, nonce, ...answer });
}

/** Which installation acts there is the forge's to say, never the question's. */
async function findReader(
  { forge, server }: Tools,
  login: string,
  named: Pick<Repository, 'owner' | 'name'>,
): Promise<ReaderFound> {
  if (policyFor(server.current(), fullName(named)) === undefined) return NOBODY;
  const installationId = await forge.repositories.installationOf(named);
  if (installationId === undefined) return NOBODY;
  return forge.people.findReader({ ...named, installationId }, login);
}

const NOBODY: ReaderFound = { mayRead: false, ageMs: 0 };

/** It came through Temporal: anybody may have written it. */
function isReadable({ login, repositories }: AccessRequest): boolean {
  const isName = (text: unknown) => typeof text === 'string' && /^[\w.-]{1,100}$/.test(text) && !/^\.+$/.test(text);
  return (
    typeof login === 'string' &&
    LOGIN.test(login) &&
    Array.isArray(repositories) &&
    repositories.length <= ACCESS_LIMIT &&
    repositories.every(({ owner, name }) => isName(owner) && isName(name))
  );
}
