import type { ActionRow } from './action.ts';

export const plan = {
  about: 'pull-request',
  verb: 'plan',
  label: 'Plan again',
  description: 'Plan what the merge would change now',
  summary: 'plan a pull request again',
  rule: 'plan',
  judgedBy: 'permissions',
  infinitive: 'plan this',
  done: 'asked for a plan',
  wanted: 'have a plan',
  console: {
    scope: 'plan',
    body: { roots: 'some-roots' },
    details: ['Without a ROOT, all roots that it modifies are planned.'],
    examples: [
      { words: "'acme/infra#12'", does: 'all its roots' },
      { words: "'acme/infra#12' network", does: 'the root network' },
    ],
  },
  comment: {
    words: 'roots',
    insteadOfFlags: 'flags belong in var_files and steps',
    help: 'plans again what merging this pull request would change',
  },
} as const satisfies ActionRow;
