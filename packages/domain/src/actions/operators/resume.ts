import type { ActionRow } from '../action.ts';

export const resume = {
  about: 'host',
  verb: 'resume',
  label: 'Resume',
  description: 'Let this host take work again',
  summary: 'let a host take work again',
  rule: 'resume',
  judgedBy: 'operators',
  infinitive: 'resume hosts',
  done: 'resumed the host',
  wanted: 'resume the host',
  console: {
    scope: 'hosts',
    body: {},
    examples: [{ words: 'fc835ae8', does: 'after it was drained' }],
  },
} as const satisfies ActionRow;
