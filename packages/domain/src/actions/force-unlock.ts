import type { ActionRow } from './action.ts';

export const forceUnlock = {
  about: 'lane',
  verb: 'force-unlock',
  label: 'Force-unlock',
  description: 'Free a lock of the state',
  summary: 'free a lock of the state that a run left behind',
  rule: 'force_unlock',
  judgedBy: 'permissions',
  least: 'admin',
  infinitive: 'free a lock of the state',
  done: 'asked to free the lock of the state',
  wanted: 'free the lock of the state',
  comment: { words: 'root-and-lock', help: "frees a lock that a run left on Terraform's state, for admins" },
} as const satisfies ActionRow;
