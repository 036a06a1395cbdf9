/** Control says which repositories a person may read, and signs it: whoever reaches Temporal cannot show anybody anything. */
import { policyFor } from '@nereid/config';
import {
  ACCESS_LIMIT,
  accessFacts,
  fullName,
  type AccessActivities,
  type AccessAnswer,
  type AccessRequest,
  type Repository,
} from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { withFailures } from '../failures.ts';

/** Nobody who is one of us asks so much at once, or for such names. */
class UnreadableQuestionError extends Error {
  override readonly name = 'UnreadableQuestionError';
  readonly code = 'UNREADABLE_QUESTION';

  constructor() {
    super(`expected a login and at most ${ACCESS_LIMIT} repositories, found something else; upgrade the console`);
  }
}

type Tools = Pick<WorkerContext, 'github' | 'server' | 'signatures'>;

export function createAccessActivities(tools: Tools): AccessActivities {
  return withFailures({ askAccess: (request) => askAccess(tools, request) } satisfies AccessActivities);
}

async function askAccess(tools: Tools, request: AccessRequest): Promise<AccessAnswer> {
  if (!isReadable(request)) throw new UnreadableQuestionError();
  const at = new Date().toISOString();
  const mayRead = await Promise.all(request.repositories.map((named) => mayReadOne(tools, request.login, named)));
  return { mayRead, at, signature: await tools.signatures.sign('access', accessFacts(request, { mayRead, at })) };
}

/** Which installation acts there is GitHub's to say, never the question's. */
async function mayReadOne(
  { github, server }: Tools,
  login: string,
  named: Pick<Repository, 'owner' | 'name'>,
): Promise<boolean> {
  if (policyFor(server.current(), fullName(named)) === undefined) return false;
  const installationId = await github.installations.of(named);
  if (installationId === undefined) return false;
  return (await github.permissionOf({ ...named, installationId }, login)) !== 'none';
}

/** It came through Temporal: anybody may have written it. */
function isReadable({ login, repositories }: AccessRequest): boolean {
  const isName = (text: unknown) => typeof text === 'string' && /^[\w.-]{1,100}$/.test(text) && !/^\.+$/.test(text);
  return (
    typeof login === 'string' &&
    /^[\w-]{1,100}(\[bot\])?$/.test(login) &&
    Array.isArray(repositories) &&
    repositories.length <= ACCESS_LIMIT &&
    repositories.every(({ owner, name }) => isName(owner) && isName(name))
  );
}
