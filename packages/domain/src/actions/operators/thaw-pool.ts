import type { ActionRow } from '../action.ts';

export const thawPool = {
  about: 'pool',
  verb: 'thaw',
  label: 'Thaw',
  description: 'End the stops that were made here',
  summary: 'end the stops of a pool, or those of all repositories: what waits for them goes on at once',
  rule: 'thaw_pool',
  judgedBy: 'operators',
  infinitive: 'end stops of all repositories or of a pool',
  done: 'ended the stops of',
  wanted: 'end the stops of',
  console: {
    scope: 'stop',
    body: {},
    details: [
      '--all ends what stop --all began, and --pool what stop --pool began: stops of single repositories stay. For operators.',
    ],
    examples: [
      { words: '--all', does: 'all repositories go on' },
      { words: '--pool prod', does: 'the hosts of a pool go on' },
    ],
  },
} as const satisfies ActionRow;
