/** The policies that judge plans: which root has which. */
import type { RootPlace } from '../glob.ts';
import { isInScope } from '../scope/scope.ts';
import type { PlanPolicy, PolicyOwners, ServerConfig } from '../server-config.ts';

/** The policies that judge the plans of a root, in the order of the file. `repository` is `owner/name`. */
export function planPoliciesFor(
  { policies }: Pick<ServerConfig, 'policies'>,
  repository: string,
  root: RootPlace,
): readonly PlanPolicy[] {
  return policies.filter((policy) => isInScope(policy, { repository, root }));
}

/** "a member of acme/sre, or one of bob, carol". */
export function describeOwners({ teams, users }: PolicyOwners): string {
  return [
    ...(teams.length > 0 ? [`a member of ${teams.join(' or ')}`] : []),
    ...(users.length > 0 ? [users.length === 1 ? (users[0] ?? '') : `one of ${users.join(', ')}`] : []),
  ].join(', or ');
}
