/** The policies that judge plans: which root has which. */
import type { PolicyEnforcement } from '@nereid/contracts';
import { matchesGlob, matchesRoot, type RootPlace } from '../glob.ts';
import type { ServerConfig } from '../server-config.ts';

/** A policy in Rego that conftest evaluates on every plan of its roots. */
export interface PlanPolicy {
  readonly name: string;
  /** Its folder: absolute once the file is read from disk, before that as it is written. */
  readonly source: string;
  readonly enforce: PolicyEnforcement;
  readonly owners: PolicyOwners;
  /** Globs of `owner/name`; empty for all repositories. */
  readonly repositories: readonly string[];
  /** Rules as `roots` of a repository has them; empty for all roots. */
  readonly roots: readonly string[];
  readonly namespaces: readonly string[];
  /** Absent: the newest version of Rego that can read it. */
  readonly rego?: 'v0' | 'v1';
}

/** Being one of them suffices. */
export interface PolicyOwners {
  /** `org/slug`. */
  readonly teams: readonly string[];
  /** GitHub logins. */
  readonly users: readonly string[];
}

/** The policies that judge the plans of a root, in the order of the file. `repository` is `owner/name`. */
export function planPoliciesFor(
  { policies }: Pick<ServerConfig, 'policies'>,
  repository: string,
  place: RootPlace,
): readonly PlanPolicy[] {
  return policies.filter(
    ({ repositories, roots }) =>
      (repositories.length === 0 || repositories.some((glob) => matchesGlob(glob, repository))) &&
      (roots.length === 0 || roots.some((rule) => matchesRoot(rule, place))),
  );
}

/** "a member of acme/sre, or one of bob, carol". */
export function describeOwners({ teams, users }: PolicyOwners): string {
  return [
    ...(teams.length > 0 ? [`a member of ${teams.join(' or ')}`] : []),
    ...(users.length > 0 ? [users.length === 1 ? (users[0] ?? '') : `one of ${users.join(', ')}`] : []),
  ].join(', or ');
}
