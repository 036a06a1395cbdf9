import type { ActionRow } from '../action.ts';

export const stopPool = {
  about: 'pool',
  verb: 'stop',
  label: 'Stop',
  description: 'Let nothing begin there for a while',
  summary: 'let no plan and no apply begin on the hosts of a pool for a while, or anywhere',
  rule: 'stop_pool',
  judgedBy: 'operators',
  infinitive: 'stop all repositories or a pool',
  done: 'stopped',
  wanted: 'stop',
  look: 'danger',
  console: {
    scope: 'stop',
    body: { for: 'duration', reason: 'reason' },
    details: [
      'With --all it covers all repositories, with --pool all roots that run on the hosts of that pool: for operators.',
    ],
    examples: [
      { words: '--all 2h "an incident at AWS"', does: 'nothing begins in any repository' },
      { words: '--pool prod 30m "its network is changed"', does: 'nothing begins on the hosts of a pool' },
    ],
  },
} as const satisfies ActionRow;
