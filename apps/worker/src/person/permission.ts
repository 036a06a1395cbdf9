/** Decides whether a person may do something with a root, by the server's policy and the person's permission on the forge. */
import { settingsFor, settingsForAllRoots, type RepositoryPolicy, type RootPlace } from '@nereid/config';
import type { PermissionKey } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import type { Sender } from '@nereid/domain/intake';
import type { Permissions, Repository } from '@nereid/domain/root';
import type { Contributors, Person } from '@nereid/forge';
import type { RevisionTools } from '../root/revision-tools.ts';
import { listNames } from '../platform/list-names.ts';
import { authorise } from './authorise.ts';
import { askPatiently, type PatientCall } from './ask-patiently.ts';
import { StillFetchingError } from './fetch-briefly.ts';
import { contributorsOf, type Brought } from './contributors.ts';
import type { Decision } from './permission-rule.ts';

export interface PermissionRequest {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  /** Undefined for no root in particular: then the action's default rule holds. `all` for the strictest rule of any root. */
  readonly root: RootPlace | 'all' | undefined;
  readonly action: PermissionKey;
  /** Login of the person who asks. */
  readonly login: string;
  /** The forge's id of that person, where it is known. */
  readonly id?: number | undefined;
  /** What the request is about; looked for only where a rule asks who brought it. */
  readonly brought: () => Brought | Promise<Brought>;
}

/** The person behind an event, as decisions name people. */
export function askerOf({ sender: login, senderId: id }: Sender): Person {
  return { login, id };
}

/** The same, as messages to lanes and records name people. */
export function byOf({ sender: by, senderId: byId }: Sender): { readonly by: string; readonly byId?: number } {
  return { by, ...defined({ byId }) };
}

/** The parts of an attempt that a decision needs. */
type DecidingCall = RevisionTools & Omit<PatientCall, 'context'>;

export async function decide(call: DecidingCall, request: PermissionRequest): Promise<Decision> {
  const { repository, policy, root, action, login, id, brought } = request;
  const rules = rulesFor(policy, root)[action] ?? [];
  const ask = async (): Promise<Decision> => {
    const { forge } = call.context;
    const asked = { repository, action, login, id };
    // Who brought it takes many requests, and is not asked for somebody who may not do it anyway.
    const others = await authorise(forge, { ...asked, rules: rules.map(({ notAuthor: _last, ...rule }) => rule) });
    if (others.kind === 'no' || !rules.some(({ notAuthor }) => notAuthor)) return others;
    const contributors = await unlessFetching(async () => contributorsOf(call, repository, await brought()));
    if (contributors instanceof StillFetchingError) return { kind: 'no', sentence: contributors.message };
    // Teams and users were judged above.
    const colleague = rules.map(({ teams: _judged, users: _too, ...rule }) => rule);
    return authorise(forge, { ...asked, rules: colleague, contributors });
  };
  const sentence = `${call.context.forge.name} could not be asked whether @${login} may do this: not now, try again`;
  return askPatiently(call, ask, { kind: 'no', sentence });
}

function rulesFor(policy: RepositoryPolicy, root: PermissionRequest['root']): Permissions {
  if (root === undefined) return {};
  return (root === 'all' ? settingsForAllRoots(policy) : settingsFor(policy, root)).permissions;
}

async function unlessFetching(ask: () => Promise<Contributors>): Promise<Contributors | StillFetchingError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StillFetchingError) return error;
    throw error;
  }
}

/** Why the person may not do it to all of the roots: each reason with its roots. Empty when the person may. */
export async function denialsFor(
  call: DecidingCall,
  request: Omit<PermissionRequest, 'root'>,
  roots: readonly RootPlace[],
): Promise<readonly string[]> {
  const denied = new Map<string, string[]>();
  for (const root of roots) {
    const decision = await decide(call, { ...request, root });
    if (decision.kind === 'yes') continue;
    denied.set(decision.sentence, [...(denied.get(decision.sentence) ?? []), root.name]);
  }
  return [...denied].map(([sentence, names]) => `${sentence} (${listNames(names)})`);
}
