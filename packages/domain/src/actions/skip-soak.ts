import type { ActionRow } from './action.ts';

export const skipSoak = {
  about: 'repository',
  verb: 'skip-soak',
  label: 'Skip soak',
  description: 'Let the next wave of this merge begin',
  summary: 'let the next wave of a merge begin, whatever holds up the one before it',
  rule: 'skip_soak',
  judgedBy: 'permissions',
  least: 'admin',
  infinitive: 'skip a wave of this merge',
  done: 'skipped a wave of a merge',
  wanted: 'skip a wave of a merge',
  console: {
    scope: 'deploy',
    body: { revision: 'revision', wave: 'wave', reason: 'reason' },
    details: [
      'WAVE is the number of the wave that others wait for: they wait neither for its roots nor for its soak and its checks.',
      'It takes the permission skip_soak, which admins of the repository have by default. Other waves are not skipped.',
    ],
    examples: [{ words: 'acme/infra "$SHA" 1 "the metrics are fine"', does: 'does not wait for wave 1' }],
  },
} as const satisfies ActionRow;
