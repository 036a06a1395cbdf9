/** Decides whether a person may do something with a root, by the server's policy and the person's permission on GitHub. */
import { resolveRoot, type RepositoryPolicy } from '@nereid/config';
import type { Action, PermissionRule, Repository } from '@nereid/contracts';
import type { Decision } from '@nereid/github';
import type { IntakeCall } from './intake-call.ts';
import { listNames } from './list-names.ts';
import { askPatiently } from './ask-patiently.ts';

export interface PermissionRequest {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  /** Undefined for no root in particular: then the action's default rule holds. */
  readonly rootName: string | undefined;
  readonly action: Action;
  /** GitHub login of the person who asks. */
  readonly login: string;
  /** The revision that the request is about. */
  readonly sha: string;
  /** Other people who brought the revision here: those who pushed or merged it. */
  readonly mergedBy?: readonly string[];
}

export async function decide(call: IntakeCall, request: PermissionRequest): Promise<Decision> {
  const { repository, policy, rootName, action, login } = request;
  const rule = rootName === undefined ? undefined : ruleOf(policy, rootName, action);
  const ask = async (): Promise<Decision> => {
    const authors = rule?.notAuthor ? await allAuthors(call, request) : [];
    return call.context.github.authorise({ repository, action, rule, login, authors });
  };
  const sentence = `GitHub could not be asked whether @${login} may do this: not now, try again`;
  return askPatiently(call, ask, { kind: 'no', sentence });
}

/** Why the person may not do it to all of the roots: each reason with its roots. Empty when the person may. */
export async function denialsFor(
  call: IntakeCall,
  request: Omit<PermissionRequest, 'rootName'>,
  rootNames: readonly string[],
): Promise<readonly string[]> {
  const denied = new Map<string, string[]>();
  for (const rootName of rootNames) {
    const decision = await decide(call, { ...request, rootName });
    if (decision.kind === 'yes') continue;
    denied.set(decision.sentence, [...(denied.get(decision.sentence) ?? []), rootName]);
  }
  return [...denied].map(([sentence, names]) => `${sentence} (${listNames(names)})`);
}

/** Only the server's file sets permissions, so the rest of the root does not matter. */
function ruleOf(policy: RepositoryPolicy, rootName: string, action: Action): PermissionRule | undefined {
  const root = { name: rootName, dir: '.', workspace: 'default', enabled: true, varFiles: [] };
  return resolveRoot(policy, root).permissions[action];
}

async function allAuthors(call: IntakeCall, request: PermissionRequest): Promise<readonly string[]> {
  return [...(await call.context.github.commits.authors(request.repository, request.sha)), ...(request.mergedBy ?? [])];
}
