/** Who has to confirm a plan, of all rules that say it: each key counts by itself, and of several rules the strictest. */
import { defined } from '@nereid/domain/defined';
import type { Permissions, ReviewRules } from '@nereid/domain/root';
import { millisecondsOf } from '@nereid/domain/duration';
import type { ReviewSettings } from '../repository-entry.ts';
import { autoRulesOf, type GrantedRule } from './auto-when.ts';
import { normaliseReminders } from './reminders.ts';
import type * as written from './review-schema.ts';

export function normaliseReview({ count, each_of: eachOf, expires, ...reminders }: written.Review): ReviewSettings {
  const expiresMs = expires === undefined ? undefined : millisecondsOf(expires);
  return { ...defined({ count, eachOf, expiresMs }), ...normaliseReminders(reminders) };
}

/** The keys of entries above, as far as a rule sets the same. */
export function reviewSetBy(review: ReviewSettings = {}, above: ReviewSettings = {}): ReviewSettings {
  return Object.fromEntries(Object.entries(above).filter(([key]) => key in review));
}

interface SaysReview {
  readonly review?: ReviewSettings;
}

/** Each key of the strictest rule that sets it, or else of the base. */
export function strictestReviewOf(rules: readonly SaysReview[], base: SaysReview = {}): ReviewSettings {
  const all = rules.flatMap(({ review }) => review ?? []);
  const counts = all.flatMap(({ count }) => count ?? []);
  const teams = all.flatMap(({ eachOf }) => eachOf ?? []);
  const expiries = all.flatMap(({ expiresMs }) => expiresMs ?? []);
  return {
    ...base.review,
    ...(counts.length > 0 && { count: Math.max(...counts) }),
    ...(teams.length > 0 && { eachOf: distinct(teams) }),
    ...(expiries.length > 0 && { expiresMs: Math.min(...expiries) }),
  };
}

interface Demanded {
  readonly review: ReviewSettings;
  readonly permissions: Permissions;
  readonly autoWhen: readonly GrantedRule[];
}

/** As roots have it: without rules where one person is enough. */
export function withReview<D extends Demanded>({ review, autoWhen: granted, ...demands }: D) {
  const { count = 1, eachOf = [], expiresMs } = review;
  const isUsual = count <= 1 && eachOf.length === 0 && expiresMs === undefined;
  const rules: ReviewRules = { count: Math.max(count, eachOf.length), eachOf, ...defined({ expiresMs }) };
  const autoWhen = autoRulesOf(granted, demands.permissions);
  return { ...demands, ...(!isUsual && { review: rules }), ...(autoWhen.length > 0 && { autoWhen }) };
}

/** Forges ignore the case of names. */
function distinct(teams: readonly string[]): readonly string[] {
  return [...new Map(teams.map((team) => [team.toLowerCase(), team])).values()];
}
