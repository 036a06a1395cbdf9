/** A person's permission on a repository, as GitHub's answer has it. Pure. */
import { PERMISSIONS, type Permission } from '@nereid/forge';

/**
 * `permission` reports maintain as write, and triage as read; `role_name` may be a custom role. So the user's own flags
 * count first, then a role that we know, then `permission`. An unknown value counts as `none`.
 */
export function permissionIn({ permission, role_name, user }: PermissionAnswer): Permission {
  const flags = user?.permissions;
  if (flags) return FLAGS.find(({ flag }) => flags[flag])?.permission ?? 'none';
  return known(role_name) ?? known(permission) ?? 'none';
}

const FLAGS: readonly { flag: string; permission: Permission }[] = [
  { flag: 'admin', permission: 'admin' },
  { flag: 'maintain', permission: 'maintain' },
  { flag: 'push', permission: 'write' },
  { flag: 'triage', permission: 'triage' },
  { flag: 'pull', permission: 'read' },
];

function known(name: string | undefined): Permission | undefined {
  return PERMISSIONS.find((permission) => permission === name);
}

interface PermissionAnswer {
  readonly permission: string;
  readonly role_name?: string;
  readonly user?: { readonly permissions?: Readonly<Record<string, boolean | undefined>> } | null;
}
