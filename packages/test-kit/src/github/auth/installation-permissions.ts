import type { Permissions } from '../state/model.ts';

/** What the App was given by whoever installed it. */
export const INSTALLATION_PERMISSIONS = {
  checks: 'write',
  contents: 'read',
  deployments: 'write',
  members: 'read',
  metadata: 'read',
  pull_requests: 'write',
} as const satisfies Permissions;

export const INSTALLATION_EVENTS = [
  'check_run',
  'check_suite',
  'issue_comment',
  'merge_group',
  'pull_request',
  'pull_request_review',
  'push',
] as const;

export type Level = 'read' | 'write' | 'admin';

const LEVELS: readonly Level[] = ['read', 'write', 'admin'];

/** Whether `given` contains this permission. */
export function permits(given: Permissions, name: string, level: Level): boolean {
  const has = given[name];
  return has !== undefined && LEVELS.indexOf(has) >= LEVELS.indexOf(level);
}
