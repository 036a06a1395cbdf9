/**
 * Decides whether a person may do an action. Pure: other code asks the forge for the facts.
 *
 * Every given part of every rule must hold. A rule that names no permission still requires the action's default one: anybody can
 * comment, so a rule that only says `not_author` must not open a public repository to everyone.
 */
import { rowOfRule, type Action } from '@nereid/domain/actions';
import type { PermissionRules } from '@nereid/domain/root';
import { isSamePerson, PERMISSIONS, type Contributors, type Permission, type Person } from '@nereid/forge';
import { requiredPermission } from '@nereid/domain/gates';

export interface Question {
  /** The name of the forge. */
  readonly forge: string;
  readonly action: Action;
  /** Empty for the action's default rule. */
  readonly rules: PermissionRules;
  /** Login of the person who asks. */
  readonly login: string;
  /** The forge's id of that person, where it is known. */
  readonly id?: number | undefined;
  readonly permission: Permission;
  /** The teams of the rules, `org/slug`, that the person is a member of. */
  readonly teams: readonly string[];
  /** The teams of the rules that the forge does not have. */
  readonly missingTeams?: readonly string[];
  /** Whether the forge can say who is in a team; default: true. */
  readonly hasTeams?: boolean;
  /** Who brought what the action is about; for rules that ask for a colleague of theirs. */
  readonly contributors?: Contributors | undefined;
}

export type Decision = { readonly kind: 'yes' } | { readonly kind: 'no'; readonly sentence: string };

export function mayDo(question: Question): Decision {
  const missing = missingPart(question);
  if (missing === undefined) return { kind: 'yes' };
  return { kind: 'no', sentence: `@${question.login} may not ${rowOfRule(question.action).infinitive}: ${missing}` };
}

function missingPart({
  forge,
  action,
  rules,
  login,
  id,
  permission,
  teams,
  missingTeams = [],
  hasTeams = true,
  contributors,
}: Question): string | undefined {
  const required = requiredPermission(action, rules);
  if (PERMISSIONS.indexOf(permission) < PERMISSIONS.indexOf(required)) {
    const found = permission === 'none' ? 'none that Nereid can see' : permission;
    return `it takes ${required} permission on the repository, @${login} has ${found}; ask somebody who has it`;
  }
  const isColleagueAsked = rules.some(({ notAuthor }) => notAuthor);
  const why = isColleagueAsked ? whyNoColleague(forge, { login, id }, permission, contributors) : undefined;
  if (why !== undefined) return why;
  const users = rules.find((rule) => rule.users && !includesLogin(rule.users, login))?.users;
  if (users) return `it takes one of ${users.join(', ')}; ask one of them`;
  const asked = rules.find((rule) => rule.teams && !rule.teams.some((team) => includesLogin(teams, team)))?.teams;
  if (asked === undefined) return undefined;
  const whom = hasTeams ? whomToAsk(forge, asked, missingTeams) : noTeams(forge);
  return `it takes a member of ${asked.join(' or ')}; ${whom}`;
}

/** An admin may stand in for people whom nobody knows. */
function whyNoColleague(
  forge: string,
  asker: Person,
  permission: Permission,
  { people, hasUnknown }: Contributors = { people: [], hasUnknown: true },
): string | undefined {
  if (people.some((person) => isSamePerson(person, asker)))
    return `it takes somebody who did not bring this change; ask a colleague`;
  if (!hasUnknown || permission === 'admin') return undefined;
  return `${forge} does not know everybody who brought this change, so it takes admin permission; ask an admin who did not bring it`;
}

/** A team that does not exist has no members to ask. */
function whomToAsk(forge: string, teams: readonly string[], missing: readonly string[]): string {
  const gone = teams.filter((team) => missing.includes(team));
  if (gone.length === 0) return 'ask one of them';
  const which = gone.length === teams.length ? 'no such team' : `no team ${gone.join(' or ')}`;
  return `${forge} has ${which}: ask the operator of Nereid to correct the rule`;
}

/** Nobody meets such a rule, so it is the rule that has to change. */
function noTeams(forge: string): string {
  return `${forge} cannot say who is in a team: ask the operator of Nereid for a rule that names users or a permission`;
}

/** Forges ignore the case of names. */
function includesLogin(logins: readonly string[], login: string): boolean {
  return logins.some((candidate) => candidate.toLowerCase() === login.toLowerCase());
}
