import type { ActionRow } from '../action.ts';

export const sendAgain = {
  about: 'destination',
  verb: 'send-again',
  label: 'Send again',
  description: 'Send what it refused, and try it now',
  summary: 'send a destination of notifications what it refused, and try at once what waits for it',
  rule: 'send_again',
  judgedBy: 'operators',
  infinitive: 'have notifications sent again',
  done: 'had notifications sent again to',
  wanted: 'have notifications sent again to',
  console: {
    scope: 'notifications',
    body: {},
    examples: [{ words: 'deploys', does: 'after the channel was renamed back' }],
  },
} as const satisfies ActionRow;
