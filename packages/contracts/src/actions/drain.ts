import type { ActionRow } from './action.ts';

export const drain = {
  about: 'host',
  verb: 'drain',
  label: 'Drain',
  description: 'Take no more work; what runs goes on',
  summary: 'let a host take no more work, until it is resumed',
  rule: 'drain',
  judges: 'operators',
  least: 'write',
  infinitive: 'drain hosts',
  done: 'drained the host',
  wanted: 'drain the host',
  console: {
    scope: 'hosts',
    body: {},
    examples: [{ words: 'fc835ae8', does: 'before its machine is replaced; nereid hosts shows what it still holds' }],
  },
} as const satisfies ActionRow;
