import type { ActionRow } from './action.ts';

export const rerun = {
  about: 'deployment',
  verb: 'rerun',
  label: 'Re-run',
  description: 'Deploy this revision once more',
  summary: 'deploy the revision of a failed deployment once more',
  rule: 'rerun',
  judgedBy: 'permissions',
  infinitive: 're-run this',
  done: 'asked for a deployment',
  wanted: 'have a deployment',
  console: {
    scope: 'deploy',
    body: {},
    examples: [{ words: 'acme/infra/network --wait', does: 'what failed last there' }],
    details: ['Of a lane in which nothing runs, it is the one that waits first or ended last.'],
    waits: true,
    isOfEnded: true,
  },
} as const satisfies ActionRow;
