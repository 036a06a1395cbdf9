/** The rules for actions, in words. */
import { rowOfRule, type Action } from '../actions/actions.ts';
import type { PermissionRule, PermissionRules, ReviewRules } from '../root/model.ts';
import { describeConfirmed, describeMissing, describePeople } from './reviews/describe-standing.ts';
import { asksSeveral, type Approval } from './reviews/standing.ts';

export type RequiredPermission = NonNullable<PermissionRule['permission']>;

/** From the least to the most. */
const REQUIRED: readonly RequiredPermission[] = ['write', 'maintain', 'admin'];

/** The permission that an action needs, with the default for a rule that names none. */
export function requiredPermission(action: Action, rules: PermissionRules = []): RequiredPermission {
  const { least = 'write' } = rowOfRule(action);
  const asked = rules.length === 0 ? [least] : rules.map(({ permission }) => permission ?? least);
  return REQUIRED.findLast((permission) => asked.includes(permission)) ?? least;
}

/** The conditions for an action, as the end of a sentence: "write permission, as a member of acme/sre". */
export function describeRule(action: Action, rules: PermissionRules = []): string {
  const people = rules.flatMap(({ teams, users }) => [
    ...(teams ? [`as a member of ${teams.join(' or ')}`] : []),
    ...(users ? [`as one of ${users.join(', ')}`] : []),
  ]);
  const isNotAuthor = rules.some(({ notAuthor }) => notAuthor);
  return [
    `${requiredPermission(action, rules)} permission`,
    ...new Set(people),
    ...(isNotAuthor ? ['not being among those who brought the change'] : []),
  ].join(', ');
}

/** Longer lists are for the check run, which has the whole rule. */
const NAMED_LIMIT = 3;

/** The people whom the rules name, by login; none where they name no one. */
export function peopleNamed(rules: PermissionRules = []): readonly string[] {
  const lists = rules.flatMap(({ users }) => (users ? [users] : []));
  return (lists[0] ?? []).filter((user) => lists.every((list) => list.includes(user)));
}

/**
 * The answer for which a plan waits, with the people or the team that the rules name: "@alice's review", "a review by @alice or
 * @bob". Where several people have to confirm it, and their answers are known, it is whom it waits for, and who has confirmed it:
 * "somebody of acme/dba; 1 of 2 confirmed (@bob)".
 */
export function describeReview(
  rules: PermissionRules = [],
  review?: ReviewRules,
  answers?: readonly Approval[],
): string {
  if (asksSeveral(review)) {
    if (answers === undefined) return `a review by ${describePeople(review)}`;
    return `${describeMissing(review, answers)}; ${describeConfirmed(review, answers)}`;
  }
  const people = peopleNamed(rules);
  if (people.length === 1) return `@${people.join('')}'s review`;
  if (people.length > 0 && people.length <= NAMED_LIMIT)
    return `a review by ${people.map((user) => `@${user}`).join(' or ')}`;
  const teams = rules.find((rule) => rule.teams !== undefined)?.teams ?? [];
  if (teams.length > 0 && teams.length <= NAMED_LIMIT) return `a review by a member of ${teams.join(' or ')}`;
  return 'a review';
}
