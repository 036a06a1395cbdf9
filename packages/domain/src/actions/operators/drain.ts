import type { ActionRow } from '../action.ts';

export const drain = {
  about: 'host',
  verb: 'drain',
  label: 'Drain',
  description: 'Stop giving work to this host',
  summary: 'stop giving work to a host until it is resumed',
  rule: 'drain',
  judgedBy: 'operators',
  infinitive: 'drain hosts',
  done: 'drained the host',
  wanted: 'drain the host',
  console: {
    scope: 'hosts',
    body: {},
    examples: [{ words: 'fc835ae8', does: 'before its machine is replaced; nereid hosts shows what it still holds' }],
  },
} as const satisfies ActionRow;
