/** How far a plan is confirmed, in words. */
import type { ReviewRules } from '../../root/model.ts';
import { standingOf, type Approval } from './standing.ts';

/** "2 people, among them a member of acme/sre and a member of acme/dba". */
export function describePeople({ count, eachOf }: ReviewRules): string {
  const members = eachOf.map((team) => `a member of ${team}`);
  if (count === 1 && members.length === 1) return members.join('');
  const people = count === 1 ? 'one person' : `${count} people`;
  return members.length === 0 ? people : `${people}, among them ${members.join(' and ')}`;
}

/** "1 of 2 confirmed (@bob); waits for somebody of acme/dba". Logins and teams are names from the forge. */
export function describeStanding(rules: ReviewRules, answers: readonly Approval[]): string {
  const { missing } = standingOf(rules, answers);
  const done = describeConfirmed(rules, answers);
  return missing === 0 ? done : `${done}; waits for ${describeMissing(rules, answers)}`;
}

/** "1 of 2 confirmed (@bob)"; "1 of 2 confirmed (@bob; not counted: @eve)", who is in none of the teams, or whose place is taken. */
export function describeConfirmed(rules: ReviewRules, answers: readonly Approval[]): string {
  const { confirmed, counted, total } = standingOf(rules, answers);
  const others = confirmed.filter((one) => !counted.includes(one));
  const names = [
    ...(counted.length > 0 ? [loginsOf(counted)] : []),
    ...(others.length > 0 ? [`not counted: ${loginsOf(others)}`] : []),
  ];
  return `${counted.length} of ${total} confirmed${names.length === 0 ? '' : ` (${names.join('; ')})`}`;
}

function loginsOf(people: readonly Approval[]): string {
  return people.map(({ by }) => `@${by}`).join(', ');
}

/** "somebody of acme/dba". */
export function describeMissing(rules: ReviewRules, answers: readonly Approval[]): string {
  const { confirmed, missing, teams } = standingOf(rules, answers);
  const others = missing - teams.length;
  const isFirst = confirmed.length + teams.length === 0;
  const whom = teams.map((team) => `somebody of ${team}`);
  return [...whom, ...(others > 0 ? [describeOthers(others, isFirst)] : [])].join(' and ');
}

function describeOthers(count: number, isFirst: boolean): string {
  const more = isFirst ? '' : ' more';
  return count === 1 ? `one${more} person` : `${count}${more} people`;
}
