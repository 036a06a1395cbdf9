/** The rules for actions, in words. */
import type { Action, PermissionRule } from '@nereid/contracts';

/** The permission that an action needs, with the default for a rule that names none. */
export function requiredPermission(
  action: Action,
  rule: PermissionRule | undefined,
): NonNullable<PermissionRule['permission']> {
  return rule?.permission ?? (action === 'apply_force' ? 'admin' : 'write');
}

/** The conditions for an action, as the end of a sentence: "write permission, as a member of acme/sre". */
export function describeRule(action: Action, rule: PermissionRule | undefined): string {
  return [
    `${requiredPermission(action, rule)} permission`,
    ...(rule?.teams ? [`as a member of ${rule.teams.join(' or ')}`] : []),
    ...(rule?.users ? [`as one of ${rule.users.join(', ')}`] : []),
    ...(rule?.notAuthor ? ['not being the author or merger of the revision'] : []),
  ].join(', ');
}
