/** The policies that judge plans: which root has which. */
import type { PolicyEnforcement } from '@nereid/domain/plan';
import type { z } from 'zod';
import { scopeOf } from '../../settings/globs-schema.ts';
import { TEAMS, USERS } from '../../settings/people-schema.ts';
import { reportRepeatedNames } from '../../yaml/names-once.ts';
import type { Report } from '../../yaml/report.ts';
import { described, list, object, oneOf, text } from '../../yaml/schema.ts';
import type { Placed } from '../../yaml/sound.ts';
import type { RootPlace } from '../glob.ts';
import { isInScope, type Scope } from '../scope/scope.ts';

/** Each may take a minute of a plan, and its messages have to fit on one check run. */
export const POLICY_LIMIT = 20;

export const Policy = object({
  name: described(
    text('a name of letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][\w.-]{0,99}$/),
    'shown on check runs; unique',
    'letters, digits, `.`, `_`, `-`',
  ),
  source: described(
    text("the path of a folder, absolute or from the folder of the server's file", /^[^\0]+$/),
    "holds the Rego files; absolute, or relative to the folder of the server's file. Every worker with the role `terraform` needs it",
    'path of a folder',
  ),
  enforce: described(
    oneOf(['advisory', 'required']),
    '`required`: a plan with changes that it denies is applied only after an [override](reference/github.md#policies)',
    '`advisory`, `required`',
  ),
  owners: described(
    object({ teams: TEAMS.optional(), users: USERS.optional() }).optional(),
    'who may override the policy: a member of one of the teams, or one of the users. A required policy has at least one owner',
    '`teams` and `users`, like those of a rule',
  ),
  ...scopeOf(
    'the repositories whose plans it judges',
    'the roots whose plans it judges, matched by any of their directories, as for rules',
  ),
  namespaces: described(
    list(text('the name of a package in Rego', /^[A-Za-z_][\w.]*$/), POLICY_LIMIT)
      .min(1, 'at least one package')
      .optional(),
    'where conftest looks for rules called `deny`, `violation` and `warn`',
    'list of packages in Rego (`[main]`)',
  ),
  rego: described(
    oneOf(['v0', 'v1']).optional(),
    'the version of Rego: `deny[msg] { … }` is `v0`, `deny contains msg if { … }` is `v1`',
    '`v0`, `v1` (the newest that can read it)',
  ),
});
type Policy = z.infer<typeof Policy>;

/** A policy in Rego that conftest evaluates on every plan of its roots. */
export interface PlanPolicy extends Scope {
  readonly name: string;
  /** Its folder: absolute once the file is read from disk, before that as it is written. */
  readonly source: string;
  readonly enforce: PolicyEnforcement;
  readonly owners: PolicyOwners;
  readonly namespaces: readonly string[];
  /** Absent: the newest version of Rego that can read it. */
  readonly rego?: 'v0' | 'v1';
}

/** Being one of them suffices. */
export interface PolicyOwners {
  /** `org/slug`. */
  readonly teams: readonly string[];
  /** Logins on the forge. */
  readonly users: readonly string[];
}

/** The namespace in which conftest looks if nobody names one. */
const NAMESPACE = 'main';

export function normalisePolicy(policy: Policy): PlanPolicy {
  const { name, source, enforce, owners, repositories = [], roots = [], namespaces = [NAMESPACE], rego } = policy;
  const { teams = [], users = [] } = owners ?? {};
  return { name, source, enforce, owners: { teams, users }, repositories, roots, namespaces, ...(rego && { rego }) };
}

interface HasPolicies {
  readonly policies: readonly PlanPolicy[];
}

/** The policies that judge the plans of a root, in the order of the file. `repository` is `owner/name`. */
export function planPoliciesFor({ policies }: HasPolicies, repository: string, root: RootPlace): readonly PlanPolicy[] {
  return policies.filter((policy) => isInScope(policy, { repository, root }));
}

/** "a member of acme/sre, or one of bob, carol". */
export function describeOwners({ teams, users }: PolicyOwners): string {
  return [
    ...(teams.length > 0 ? [`a member of ${teams.join(' or ')}`] : []),
    ...(users.length > 0 ? [users.length === 1 ? (users[0] ?? '') : `one of ${users.join(', ')}`] : []),
  ].join(', or ');
}

/** The part of the file that the rules below judge. */
export interface PolicySubject {
  readonly policies: readonly Placed<PlanPolicy>[];
}

/** An override names the policies that it is about. */
export function policiesHaveNamesOfTheirOwn({ policies }: PolicySubject, report: Report): void {
  reportRepeatedNames('policies', policies, report);
}

/** Otherwise a plan that it denies could never be applied, not even to repair something. */
export function requiredPoliciesHaveOwners({ policies }: PolicySubject, report: Report): void {
  for (const { index, value: policy } of policies) {
    const { teams, users } = policy.owners;
    if (policy.enforce === 'advisory' || teams.length + users.length > 0) continue;
    report.error(
      ['policies', index, 'owners'],
      'expected somebody who may override this required policy, found nobody; add { teams: [organisation/slug] } or { users: [login] }',
    );
  }
}
