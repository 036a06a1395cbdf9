import type { ActionRow } from './action.ts';

export const apply = {
  about: 'pull-request',
  verb: 'apply',
  label: 'Apply',
  description: 'Deploy this pull request',
  summary: 'deploy the head of a pull request before its merge',
  rule: 'apply',
  judgedBy: 'permissions',
  infinitive: 'deploy this',
  done: 'asked for an apply',
  wanted: 'apply',
  comment: { words: 'roots', help: 'deploys this head before it is merged, and locks the lanes' },
} as const satisfies ActionRow;
