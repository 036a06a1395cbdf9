import type { ActionRow } from './action.ts';
import { apply } from './apply.ts';

export const applyForce = {
  ...apply,
  description: 'Deploy without its requirements',
  summary: 'deploy the head of a pull request before its merge, without its requirements',
  rule: 'apply_force',
  least: 'admin',
  infinitive: 'deploy this without its requirements',
  done: 'asked for an apply without its requirements',
  wanted: 'apply without the requirements',
  comment: { words: 'roots', flag: '-f', help: 'the same without its requirements, for admins' },
} as const satisfies ActionRow;
