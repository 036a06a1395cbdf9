/**
 * Plans that the server's file confirms itself. That loosens a review, so it counts only where everybody grants it: each rule that
 * matches the root, or where none does, the entry that says so first.
 */
import { createHash } from 'node:crypto';
import { defined } from '@nereid/domain/defined';
import type { AutoRule, Permissions, RuledChange } from '@nereid/domain/root';
import type { AutoWhenSettings, RepositoryEntry, RootSettings } from '../repository-entry.ts';
import type { AutoWhen } from './auto-when-schema.ts';

/** What loses something. */
const NO: readonly RuledChange[] = ['destroy', 'replace', 'forget'];

/** In one order of keys: a digest is made of them. */
export function normaliseAutoWhen(written: AutoWhen): AutoWhenSettings {
  const { no = NO, only_types: onlyTypes, max_changes: maxChanges, policies, authors } = written;
  return { no, ...defined({ onlyTypes, maxChanges, policies, authors }) };
}

/** A rule, with the place where it stands. */
export interface GrantedRule extends AutoRule, Pick<AutoWhenSettings, 'authors'> {}

function grantedBy(of: string, settings: AutoWhenSettings): GrantedRule {
  const digest = createHash('sha256')
    .update(JSON.stringify([of, settings]))
    .digest('hex');
  return { of, ...settings, digest };
}

/** Whether settings say who confirms plans: then they have to grant it, too. */
function saysWhoConfirms({ planReview, review, permissions, autoWhen }: RootSettings): boolean {
  return [planReview, review, permissions?.confirm, autoWhen].some((said) => said !== undefined);
}

/** Of the settings of a repository, from top to bottom. */
export function grantedByEntries(
  entries: readonly Pick<RepositoryEntry, 'match' | 'settings'>[],
): readonly GrantedRule[] {
  const first = entries.find(({ settings }) => saysWhoConfirms(settings));
  return first?.settings.autoWhen === undefined ? [] : [grantedBy(first.match, first.settings.autoWhen)];
}

interface Placed {
  readonly match: string;
  readonly settings: RootSettings;
  /** Granted by the entries above the rule's own; undefined where none of them says who confirms plans. */
  readonly grantedAbove: readonly GrantedRule[] | undefined;
}

/** As far as the entries above a rule say who confirms plans. */
export function grantedAbove(
  entries: readonly Pick<RepositoryEntry, 'match' | 'settings'>[],
): readonly GrantedRule[] | undefined {
  return entries.some(({ settings }) => saysWhoConfirms(settings)) ? grantedByEntries(entries) : undefined;
}

/** Of the rules that match a root in one of its places, or else of its repository. Empty where one of them does not grant it. */
export function grantedIn(rules: readonly Placed[], base: readonly GrantedRule[]): readonly GrantedRule[] {
  if (rules.length === 0) return base;
  const granted = rules.flatMap(({ match, settings: { autoWhen }, grantedAbove: above }) => {
    const own = autoWhen === undefined ? [] : [grantedBy(match, autoWhen)];
    return above === undefined ? [own] : [own, above];
  });
  return mergeGrants(granted);
}

/** Each once; empty where one grants nothing. */
export function mergeGrants(granted: readonly (readonly GrantedRule[])[]): readonly GrantedRule[] {
  if (granted.some((rules) => rules.length === 0)) return [];
  return [...new Map(granted.flat().map((rule) => [rule.digest, rule])).values()];
}

/** As roots have it: none where a colleague has to look, unless each rule says that it counts for changes of anybody. */
export function autoRulesOf(granted: readonly GrantedRule[], { confirm = [] }: Permissions): readonly AutoRule[] {
  const isColleagueAsked = confirm.some(({ notAuthor }) => notAuthor);
  if (isColleagueAsked && !granted.every(({ authors }) => authors === 'any')) return [];
  return granted.map(({ authors: _judged, ...rule }) => rule);
}
