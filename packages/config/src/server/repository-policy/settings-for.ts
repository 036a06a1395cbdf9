/** The server's settings for a root. Rules for roots go before entries, and of several that match, the strictest counts: nobody escapes a rule by a rule. */
import { PERMISSION_KEYS, type PermissionKey } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import {
  CARRY_REVIEW,
  ON_FAILURE,
  NETWORKS,
  PLAN_REVIEWS,
  type AutoRule,
  type CarryReview,
  type Network,
  type PermissionRule,
  type PermissionRules,
  type Permissions,
  type PlanReviewPolicy,
  type ReviewRules,
  type Root,
} from '@nereid/domain/root';
import { matchesRoot, type RootPlace } from '../glob.ts';
import { mergeSettings } from './merge-settings.ts';
import type { PlacedRule, RepositoryPolicy } from './policy.ts';
import type { ActionRules, ReviewSettings, RootRule, RootSettings } from '../repository-entry.ts';
import { grantedIn, mergeGrants, type GrantedRule } from '../review/auto-when.ts';
import { remindersOf, type RootReminders } from '../review/reminders.ts';
import { reviewSetBy, strictestReviewOf, withReview } from '../review/review-demands.ts';

/** The server's settings for a root, without what it is to clouds (`identityFor`). */
export interface SettingsForRoot
  extends Omit<RootSettings, keyof Demands | 'environment' | 'identity'>, Omit<Demands, 'review' | 'autoWhen'> {
  /** Who has to confirm plans; absent where one person is enough. */
  readonly review?: ReviewRules;
  /** Plans that need nobody; absent where a person is always asked. */
  readonly autoWhen?: readonly AutoRule[];
  /** Absent where nobody is reminded of a review. */
  readonly reminders?: RootReminders;
  /** What rules for this root set; a repository cannot set these. */
  readonly fixed: RootSettings;
}

/** The settings of which the strictest counts. */
interface Demands {
  readonly planReview: PlanReviewPolicy;
  readonly onFailure: Root['onFailure'];
  readonly permissions: Permissions;
  readonly network: Network;
  readonly carryReview: CarryReview;
  readonly maxPlanAgeMs?: number;
  readonly review: ReviewSettings;
  readonly autoWhen: readonly GrantedRule[];
}

/** A root that no rule is about. */
interface Base extends Omit<RootSettings, 'autoWhen'> {
  readonly network: Network;
  readonly autoWhen: readonly GrantedRule[];
}

interface HasRules {
  readonly settings: RootSettings;
  readonly rootRules: readonly Pick<RootRule, 'settings'>[];
}

/** Whether anybody is reminded of reviews in the repository. */
export function hasReminders({ settings, rootRules }: HasRules): boolean {
  return [settings, ...rootRules.map((rule) => rule.settings)].some(({ review }) => remindersOf(review) !== undefined);
}

/** A root with several directories has to meet the demands of each of them. */
export function settingsFor(policy: RepositoryPolicy, { name, dirs }: RootPlace): SettingsForRoot {
  const places = dirs?.map((dir) => ({ name, dirs: [dir] })) ?? [{ name }];
  const rules = places.map((place) => policy.rootRules.filter(({ match }) => matchesRoot(match, place)));
  // Maybe no rule is about a root whose directory is not known.
  return settingsBy(policy, rules, dirs === undefined ? [[]] : []);
}

/** The strictest of all settings that any root of the repository can have, whatever its name and directory. */
export function settingsForAllRoots(policy: RepositoryPolicy): SettingsForRoot {
  return settingsBy(policy, [policy.rootRules], [[]]);
}

/** `perhaps` are rules that only demand. */
function settingsBy(
  { settings, network, autoWhen }: RepositoryPolicy,
  rules: readonly (readonly PlacedRule[])[],
  perhaps: readonly (readonly PlacedRule[])[],
): SettingsForRoot {
  const base: Base = { network, ...settings, autoWhen };
  const fixed = mergeSettings(rules.flat().map((rule) => rule.settings));
  const { review: written, autoWhen: _too, ...merged } = mergeSettings([fixed, settings]);
  const demands = strictest([...rules, ...perhaps].map((own) => demandsOf(own, base)));
  return { ...merged, ...withReview(demands), ...defined({ reminders: remindersOf(written) }), fixed };
}

function demandsOf(placed: readonly PlacedRule[], base: Base): Demands {
  const { planReview = 'required', onFailure = 'continue', carryReview = 'never', network } = base;
  const rules = placed.flatMap(({ settings, above }) => [settings, setBy(settings, above)]);
  return {
    planReview: strictestOf(PLAN_REVIEWS, rules, (rule) => rule.planReview) ?? planReview,
    onFailure: strictestOf(ON_FAILURE, rules, (rule) => rule.onFailure) ?? onFailure,
    network: strictestOf(NETWORKS, rules, (rule) => rule.network) ?? network,
    carryReview: strictestOf(CARRY_REVIEW, rules, (rule) => rule.carryReview) ?? carryReview,
    ...shortestOf([...rules, ...(rules.some((rule) => rule.maxPlanAgeMs !== undefined) ? [] : [base])]),
    review: strictestReviewOf(rules, base),
    autoWhen: grantedIn(placed, base.autoWhen),
    permissions: permissionsOf((action) => {
      const own = rules.flatMap(({ permissions }) => permissions?.[action] ?? []);
      return own.length > 0 ? own : oneOrNone(base.permissions, action);
    }),
  };
}

/** The settings of entries above, as far as the rule sets the same. */
function setBy(
  { planReview, onFailure, network, carryReview, maxPlanAgeMs, permissions = {}, review }: RootSettings,
  above: RootSettings,
): RootSettings {
  const actions = Object.entries(above.permissions ?? {}).filter(([action]) => action in permissions);
  return {
    ...(planReview && above.planReview && { planReview: above.planReview }),
    ...(onFailure && above.onFailure && { onFailure: above.onFailure }),
    ...(network && above.network && { network: above.network }),
    ...(carryReview && above.carryReview && { carryReview: above.carryReview }),
    ...(maxPlanAgeMs !== undefined && defined({ maxPlanAgeMs: above.maxPlanAgeMs })),
    permissions: Object.fromEntries(actions),
    review: reviewSetBy(review, above.review),
  };
}

function strictest(all: readonly Demands[]): Demands {
  return {
    planReview: strictestOf(PLAN_REVIEWS, all, ({ planReview }) => planReview) ?? 'required',
    onFailure: strictestOf(ON_FAILURE, all, ({ onFailure }) => onFailure) ?? 'continue',
    network: strictestOf(NETWORKS, all, ({ network }) => network) ?? 'none',
    carryReview: strictestOf(CARRY_REVIEW, all, (one) => one.carryReview) ?? 'never',
    ...shortestOf(all),
    review: strictestReviewOf(all),
    autoWhen: mergeGrants(all.map((one) => one.autoWhen)),
    permissions: permissionsOf((action) => {
      if (all.every(({ permissions }) => permissions[action] === undefined)) return [];
      return all.flatMap(({ permissions }): PermissionRules => permissions[action] ?? [ACTION_DEFAULT]);
    }),
  };
}

/** A rule that asks only for what the action takes without any rule. */
const ACTION_DEFAULT: PermissionRule = {};

/** The shortest age of a plan is the strictest. */
function shortestOf(all: readonly Pick<RootSettings, 'maxPlanAgeMs'>[]): Pick<Demands, 'maxPlanAgeMs'> {
  const ages = all.flatMap(({ maxPlanAgeMs }) => maxPlanAgeMs ?? []);
  return ages.length === 0 ? {} : { maxPlanAgeMs: Math.min(...ages) };
}

function strictestOf<Value, Said>(
  order: readonly Value[],
  all: readonly Said[],
  valueOf: (said: Said) => Value | undefined,
): Value | undefined {
  const found = all.map(valueOf);
  return order.findLast((value) => found.includes(value));
}

function oneOrNone(rules: ActionRules | undefined, action: PermissionKey): PermissionRules {
  const rule = rules?.[action];
  return rule === undefined ? [] : [rule];
}

/** Each rule once. */
function permissionsOf(rulesOf: (action: PermissionKey) => PermissionRules): Permissions {
  const all = PERMISSION_KEYS.map((action) => {
    const byText = new Map(rulesOf(action).map((rule) => [JSON.stringify(rule), rule]));
    return [action, [...byText.values()]] as const;
  });
  return Object.fromEntries(all.filter(([, rules]) => rules.length > 0));
}
