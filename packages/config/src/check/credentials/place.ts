/** What the server's file asks of the code in one directory, and which credentials it gives to it. */
import { rowOfRule } from '@nereid/domain/actions';
import {
  PLAN_REVIEWS,
  type PermissionRule,
  type Permissions,
  type PlanReviewPolicy,
  type ReviewRules,
  type Root,
} from '@nereid/domain/root';
import { identityFor, type RootIdentity } from '../../server/identity/root-identity.ts';
import { secretFilesFor } from '../../server/identity/secret-files.ts';
import { planPoliciesFor } from '../../server/policies/plan-policies.ts';
import type { RepositoryPolicy } from '../../server/repository-policy/policy.ts';
import { settingsFor } from '../../server/repository-policy/settings-for.ts';
import type { ReviewSettings, SecretFiles } from '../../server/repository-entry.ts';
import type { ServerConfig } from '../../server/server-config.ts';
import { STANDARD_WORKFLOW } from '../../server/workflows/standard-workflow.ts';

export interface Place {
  /** Whatever the repository's own file says. */
  readonly planReview: PlanReviewPolicy;
  readonly permissions: Permissions;
  readonly review: ReviewRules | undefined;
  /** Whether the server's file confirms some plans itself. */
  readonly isConfirmedByRules: boolean;
  /** The names of those that are required. */
  readonly policies: readonly string[];
  /** The sources of credentials, one text for each workflow that roots here may have; empty when there are none. */
  readonly credentials: readonly string[];
}

/** `repository` is `owner/name`. */
export function placeAt(server: ServerConfig, policy: RepositoryPolicy, repository: string, dir: string): Place {
  const root = { name: dir, dirs: [dir] };
  const { fixed, planReview, workflow = STANDARD_WORKFLOW, permissions, review, autoWhen } = settingsFor(policy, root);
  const { allowedOverrides: allowed } = policy;
  const isChosen = allowed.includes('workflow') && fixed.workflow === undefined;
  const names = isChosen ? [...server.workflows.keys()] : [workflow];
  const required = planPoliciesFor(server, repository, root).filter(({ enforce }) => enforce === 'required');
  return {
    planReview: allowed.includes('plan_review') && fixed.planReview === undefined ? 'auto' : planReview,
    permissions,
    review,
    isConfirmedByRules: autoWhen !== undefined,
    policies: required.map(({ name }) => name),
    credentials: names.flatMap((name) =>
      sourcesOf(server, server.workflows.get(name), {
        ...identityFor(server, repository, root),
        secrets: secretFilesFor(server, repository, root),
      }),
    ),
  };
}

/** Variables of the worker are the same for all roots; steps differ by workflow, and what a root is to clouds by directory. */
function sourcesOf(
  { terraform }: ServerConfig,
  steps: Root['steps'] | undefined,
  { environment: { plan, apply }, identity, secrets }: RootIdentity & { readonly secrets: SecretFiles },
): readonly string[] {
  const ofSteps = [...(steps?.plan ?? []), ...(steps?.apply ?? [])].filter(({ kind }) => kind === 'env');
  const files = [secrets.preview, secrets.plan, secrets.apply];
  const variables = [plan, apply, ...files].map((each) => Object.entries(each).toSorted());
  const { envAllow, envAllowPlan, envAllowApply } = terraform;
  const count = [ofSteps, envAllow, envAllowPlan, envAllowApply, ...variables].flat().length;
  return count === 0 && identity === undefined ? [] : [JSON.stringify([ofSteps, variables, identity])];
}

/** The actions that have code planned or applied: all others leave it as it is. */
export const GUARDED_ACTIONS = ['confirm', 'plan', 'apply', 'apply_force'] as const;
export type GuardedAction = (typeof GUARDED_ACTIONS)[number];

export function reviewsLess(place: Place, wanted: PlanReviewPolicy): boolean {
  return PLAN_REVIEWS.indexOf(place.planReview) < PLAN_REVIEWS.indexOf(wanted);
}

/** Whether fewer people confirm here than the rule asks for, or others. */
export function confirmsLess({ review }: Place, { count = 1, eachOf = [] }: ReviewSettings): boolean {
  const { count: people, eachOf: teams } = review ?? { count: 1, eachOf: [] };
  return people < Math.max(count, eachOf.length) || !eachOf.every((team) => teams.includes(team));
}

/** Whether somebody may here whom the rule would refuse. Several rules may ask for the parts of one. */
export function permitsMore({ permissions }: Place, action: GuardedAction, wanted: PermissionRule): boolean {
  const rules = permissions[action] ?? [{}];
  const rankOf = ({ permission }: PermissionRule) => RANKS.indexOf(permission ?? rowOfRule(action).least ?? 'write');
  const isWithin = (own: readonly string[] | undefined, all: readonly string[]) =>
    own?.every((one) => all.includes(one)) === true;
  const { notAuthor = false, teams, users } = wanted;
  return !(
    rules.some((rule) => rankOf(rule) >= rankOf(wanted)) &&
    (!notAuthor || rules.some((rule) => rule.notAuthor === true)) &&
    (teams === undefined || rules.some((rule) => isWithin(rule.teams, teams))) &&
    (users === undefined || rules.some((rule) => isWithin(rule.users, users)))
  );
}

const RANKS = ['write', 'maintain', 'admin'] as const;
