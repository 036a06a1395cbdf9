import type { Action } from '@nereid/domain/actions';
import type { PermissionRules, Repository } from '@nereid/domain/root';
import { PERMISSIONS, type Contributors, type Forge } from '@nereid/forge';
import { requiredPermission } from '@nereid/domain/gates';
import { mayDo, type Decision, type Question } from './permission-rule.ts';

export interface AuthoriseRequest {
  readonly repository: Repository;
  readonly action: Action;
  /** Empty for the action's default rule. */
  readonly rules: PermissionRules;
  /** Login of the person who asks. */
  readonly login: string;
  /** The forge's id of that person, where it is known. */
  readonly id?: number | undefined;
  /** Who brought what the action is about; for rules that ask for a colleague of theirs. */
  readonly contributors?: Contributors | undefined;
}

/** The parts of a forge that a decision needs. */
export type Judge = Pick<Forge, 'name' | 'people' | 'teams'>;

/** Asks the forge for the facts that the rules need, and decides. Throws when it cannot be asked: that is never a yes. */
export async function authorise(forge: Judge, request: AuthoriseRequest): Promise<Decision> {
  const { repository, rules, login, ...rest } = request;
  const permission = await forge.people.permissionOf(repository, login);
  const isWorthAsking = PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(requiredPermission(rest.action, rules));
  const asked = isWorthAsking ? rules.flatMap(({ teams }) => (teams ? [teams] : [])) : [];
  const found = await Promise.all(asked.map((names) => teamsOf(forge, repository, names, login)));
  const teams = found.flatMap((one) => one.teams);
  const missingTeams = found.flatMap((one) => one.missingTeams ?? []);
  const facts = { permission, teams, missingTeams, hasTeams: forge.teams !== undefined };
  return mayDo({ ...rest, ...facts, forge: forge.name, rules, login });
}

/** Membership in one team suffices, so the search ends with the first one found. */
async function teamsOf(
  { teams }: Judge,
  repository: Repository,
  names: readonly string[],
  login: string,
): Promise<Pick<Question, 'teams' | 'missingTeams'>> {
  if (teams === undefined) return { teams: [] };
  const missingTeams: string[] = [];
  for (const name of names) {
    if (await teams.isMember(repository, name, login)) return { teams: [name] };
    if (await teams.isMissing(repository, name)) missingTeams.push(name);
  }
  return { teams: [], missingTeams };
}
