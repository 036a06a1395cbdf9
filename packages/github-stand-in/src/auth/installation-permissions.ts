import type { Permissions } from '../state/model.ts';

/** The permissions that the App got when it was installed. */
export const INSTALLATION_PERMISSIONS = {
  actions: 'read',
  checks: 'write',
  contents: 'read',
  deployments: 'write',
  issues: 'read',
  members: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
} as const satisfies Permissions;

export const INSTALLATION_EVENTS = [
  'check_run',
  'check_suite',
  'deployment_protection_rule',
  'issue_comment',
  'merge_group',
  'pull_request',
  'pull_request_review',
  'push',
] as const;

export type Level = 'read' | 'write' | 'admin';

const LEVELS: readonly Level[] = ['read', 'write', 'admin'];

/** Whether `given` contains this permission at this level or a higher one. */
export function permits(given: Permissions, name: string, level: Level): boolean {
  const has = given[name];
  return has !== undefined && LEVELS.indexOf(has) >= LEVELS.indexOf(level);
}
