/**
 * Who has confirmed a plan that several people have to confirm, and who is missing. The deployment shows it, and control decides by it
 * again from signed answers.
 */
import type { PlanReview } from '../../plan/review.ts';
import type { ReviewRules } from '../../root/model.ts';

/** An answer that approves: whose it is, and for which of the teams the person can count. */
export type Approval = Pick<PlanReview, 'by' | 'byId' | 'teams'>;

interface Standing<One extends Approval = Approval> {
  /** The newest of each person, in the order of the people's first answers. */
  readonly confirmed: readonly One[];
  /** Those of them that count: one for each team, and of the others as many as there are places without a team. */
  readonly counted: readonly One[];
  /** How many people it takes: those that count, and those that are missing. */
  readonly total: number;
  /** How many more people have to confirm it; 0 once it is confirmed. */
  readonly missing: number;
  /** The teams of which somebody has to. */
  readonly teams: readonly string[];
}

/** Of the answers to one plan. Where several are asked, an answer without the forge's id may be a second one of the same person. */
export function standingOf<One extends Approval>(rules: ReviewRules, answers: readonly One[]): Standing<One> {
  const { count, eachOf } = rules;
  const confirmed = newestOfEach(asksSeveral(rules) ? answers.filter(({ byId }) => byId !== undefined) : answers);
  const ofTeams = matchTeams(eachOf, confirmed);
  const teams = eachOf.filter((team) => !ofTeams.has(team));
  const members = new Set<Approval>(ofTeams.values());
  const total = Math.max(count, eachOf.length);
  const others = confirmed.filter((one) => !members.has(one)).slice(0, total - eachOf.length);
  const counted = confirmed.filter((one) => members.has(one) || others.includes(one));
  return { confirmed, counted, total, teams, missing: total - counted.length };
}

/** Whether one answer of anybody who may confirm is not enough. */
export function asksSeveral(rules: ReviewRules | undefined): rules is ReviewRules {
  return rules !== undefined && (rules.count > 1 || rules.eachOf.length > 0);
}

/** Those that meet both. */
export function strictestReview(one: ReviewRules | undefined, other: ReviewRules | undefined): ReviewRules | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const eachOf = [...new Set([...one.eachOf, ...other.eachOf])];
  const expiries = [one.expiresMs, other.expiresMs].filter((expiry) => expiry !== undefined);
  return {
    count: Math.max(one.count, other.count, eachOf.length),
    eachOf,
    ...(expiries.length > 0 && { expiresMs: Math.min(...expiries) }),
  };
}

/** Each person once, by the forge's id where both answers have it: a login may be given to somebody else. */
export function newestOfEach<One extends Approval>(answers: readonly One[]): readonly One[] {
  return answers.reduce<readonly One[]>((before, answer) => {
    const isTheirs = (one: One) => isSamePerson(one, answer);
    return before.some(isTheirs) ? before.map((one) => (isTheirs(one) ? answer : one)) : [...before, answer];
  }, []);
}

export function isSamePerson(one: Approval, other: Approval): boolean {
  if (one.byId !== undefined && other.byId !== undefined) return one.byId === other.byId;
  return one.by.toLowerCase() === other.by.toLowerCase();
}

/** The person who counts for each team, chosen so that as few teams as possible are left: a matching by augmenting paths. */
function matchTeams(eachOf: readonly string[], people: readonly Approval[]): ReadonlyMap<string, Approval> {
  const teamOf = new Map<Approval, string>();
  const findPerson = (team: string, asked: Set<Approval>): boolean =>
    people.some((person) => {
      if (asked.has(person) || !isMember(person, team)) return false;
      asked.add(person);
      const taken = teamOf.get(person);
      if (taken !== undefined && !findPerson(taken, asked)) return false;
      teamOf.set(person, team);
      return true;
    });
  for (const team of eachOf) findPerson(team, new Set());
  return new Map([...teamOf].map(([person, team]) => [team, person]));
}

/** Forges ignore the case of names. */
function isMember({ teams = [] }: Approval, team: string): boolean {
  return teams.some((one) => one.toLowerCase() === team.toLowerCase());
}
