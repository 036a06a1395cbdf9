/**
 * The server's policy for one repository and its roots.
 *
 * Settings of the whole repository: the file is read from top to bottom, and the first entry that sets something wins. Rules for
 * roots go before them, and of several rules that match a root, the strictest counts: nobody escapes a rule by a rule.
 */
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
import { matchesGlob, matchesRoot, type RootPlace } from './glob.ts';
import type { Override } from '../settings/overrides.ts';
import type { ServerConfig } from './server-config.ts';
import type { ActionRules, PullRequestComment, ReviewSettings, RootRule, RootSettings } from './repository-entry.ts';
import { grantedAbove, grantedByEntries, grantedIn, mergeGrants, type GrantedRule } from './review/auto-when.ts';
import { remindersOf, type RootReminders } from './review/reminders.ts';
import { reviewSetBy, strictestReviewOf, withReview } from './review/review-demands.ts';
import type { PoolNames } from './pools.ts';
import type { TimeoutMs } from '../settings/timeout.ts';

export interface RepositoryPolicy {
  /** `owner/name`; absent where only a file is looked at. */
  readonly repository?: string;
  /** The branch whose pushes are deployed; absent for the repository's default branch. */
  readonly branch?: string;
  readonly allowedOverrides: readonly Override[];
  /** The pools, or labels of them, that the repository's own file may ask for. */
  readonly allowedHosts: readonly string[];
  readonly pools: readonly PoolNames[];
  /** `owner/name`, the name a glob: private repositories from which an init may fetch modules. */
  readonly modulesFrom: readonly string[];
  /** Whether hosts fetch files of Git LFS that roots read. */
  readonly lfs: boolean;
  /** Whether pull requests are planned. */
  readonly pullRequests: 'off' | 'plan';
  readonly pullRequestComment: PullRequestComment;
  /** Whether heads of forks are planned when somebody asks for it. */
  readonly forkPlans: 'never' | 'on_command';
  /** Whether pull requests into other branches than the deployed one are planned, too. */
  readonly planAllBases: boolean;
  /** Whether the check run of a pull request keeps its conclusion while plans are out of date, or fails. */
  readonly stale: 'show' | 'block';
  /** Whether a merge of what was deployed manually unlocks its lane. */
  readonly unlockOnMerge: boolean;
  /** Settings of the whole repository. */
  readonly settings: RootSettings;
  /** In the order of the file. */
  readonly rootRules: readonly PlacedRule[];
  /** Of roots that no rule is about. */
  readonly autoWhen: readonly GrantedRule[];
  readonly workflows: ServerConfig['workflows'];
  readonly distribution: ServerConfig['terraform']['distribution'];
  /** Of roots of which nobody says otherwise. */
  readonly network: Network;
}

/**
 * The version of the binary is no question of security: its download is checked, and the code of a root can run anything
 * anyway. The server decides everything else unless it says otherwise.
 */
const DEFAULT_OVERRIDES: readonly Override[] = ['terraform_version'];

export type PolicySource = Pick<ServerConfig, 'repositories' | 'workflows' | 'pools' | 'terraform'>;

/** The policy for `owner/name`; undefined when no entry matches, which means that the repository is not allowed. */
export function policyFor(server: PolicySource, repository: string): RepositoryPolicy | undefined {
  const entries = server.repositories.filter((entry) => matchesGlob(entry.match, repository));
  if (entries.length === 0) return undefined;
  const branch = entries.find((entry) => entry.branch !== undefined)?.branch;
  return {
    repository,
    ...defined({ branch }),
    allowedOverrides: entries.find((entry) => entry.allowedOverrides)?.allowedOverrides ?? DEFAULT_OVERRIDES,
    allowedHosts: entries.find((entry) => entry.allowedHosts)?.allowedHosts ?? [],
    pools: server.pools.map(({ name, labels }) => ({ name, labels })),
    modulesFrom: entries.find((entry) => entry.modulesFrom)?.modulesFrom ?? [],
    lfs: entries.find((entry) => entry.lfs !== undefined)?.lfs ?? false,
    pullRequests: entries.find((entry) => entry.pullRequests)?.pullRequests ?? 'off',
    pullRequestComment: entries.find((entry) => entry.pullRequestComment)?.pullRequestComment ?? 'changes',
    forkPlans: entries.find((entry) => entry.forkPlans)?.forkPlans ?? 'never',
    planAllBases: entries.find((entry) => entry.planAllBases !== undefined)?.planAllBases ?? false,
    stale: entries.find((entry) => entry.stale)?.stale ?? 'show',
    unlockOnMerge: entries.find((entry) => entry.unlockOnMerge !== undefined)?.unlockOnMerge ?? true,
    settings: merge(entries.map(({ settings }) => settings)),
    rootRules: entries.flatMap(({ roots }, index) => {
      const higher = entries.slice(0, index);
      const above = merge(higher.map(({ settings }) => settings));
      return roots.map((rule) => ({ ...rule, above, grantedAbove: grantedAbove(higher) }));
    }),
    autoWhen: grantedByEntries(entries),
    workflows: server.workflows,
    distribution: server.terraform.distribution,
    network: server.terraform.network,
  };
}

/** A rule loosens only what its own and later entries set. */
export interface PlacedRule extends RootRule {
  /** The settings of the entries above its own. */
  readonly above: RootSettings;
  /** As far as those entries say who confirms plans. */
  readonly grantedAbove: readonly GrantedRule[] | undefined;
}

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
  const fixed = merge(rules.flat().map((rule) => rule.settings));
  const { review: written, autoWhen: _too, ...merged } = merge([fixed, settings]);
  const demands = strictest([...rules, ...perhaps].map((own) => demandsOf(own, base)));
  return { ...merged, ...withReview(demands), ...defined({ reminders: remindersOf(written) }), fixed };
}

function demandsOf(placed: readonly PlacedRule[], base: Base): Demands {
  const { planReview = 'required', onFailure = 'continue', carryReview = 'never', network } = base;
  const rules = placed.flatMap(({ settings, above }) => [settings, setBy(settings, above)]);
  return {
    planReview:
      strictestOf(
        PLAN_REVIEWS,
        rules.map((rule) => rule.planReview),
      ) ?? planReview,
    onFailure:
      strictestOf(
        ON_FAILURE,
        rules.map((rule) => rule.onFailure),
      ) ?? onFailure,
    network:
      strictestOf(
        NETWORKS,
        rules.map((rule) => rule.network),
      ) ?? network,
    carryReview:
      strictestOf(
        CARRY_REVIEW,
        rules.map((rule) => rule.carryReview),
      ) ?? carryReview,
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
    planReview:
      strictestOf(
        PLAN_REVIEWS,
        all.map(({ planReview }) => planReview),
      ) ?? 'required',
    onFailure:
      strictestOf(
        ON_FAILURE,
        all.map(({ onFailure }) => onFailure),
      ) ?? 'continue',
    network:
      strictestOf(
        NETWORKS,
        all.map(({ network }) => network),
      ) ?? 'none',
    carryReview:
      strictestOf(
        CARRY_REVIEW,
        all.map((one) => one.carryReview),
      ) ?? 'never',
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

function strictestOf<T>(order: readonly T[], found: readonly (T | undefined)[]): T | undefined {
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

/** The first one wins, so the merge begins with the last. Permissions are merged action by action, timeouts and reviews key by key. */
function merge(all: readonly RootSettings[]): RootSettings {
  return all.toReversed().reduce<RootSettings>((below, above) => {
    const permissions: ActionRules = { ...below.permissions, ...above.permissions };
    const timeoutMs: TimeoutMs = { ...below.timeoutMs, ...above.timeoutMs };
    const review: ReviewSettings = { ...below.review, ...above.review };
    return {
      ...below,
      ...above,
      ...(Object.keys(permissions).length > 0 && { permissions }),
      ...(Object.keys(timeoutMs).length > 0 && { timeoutMs }),
      ...(Object.keys(review).length > 0 && { review }),
    };
  }, {});
}
