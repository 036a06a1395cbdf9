import type { ActionRow } from './action.ts';

export const override = {
  about: 'plan',
  verb: 'override',
  label: 'Override',
  description: 'Let this plan go on anyway',
  summary: 'let a plan go on although policies deny it, for their owners',
  rule: 'override',
  judgedBy: 'owners',
  infinitive: 'override this',
  done: 'overrode the policies',
  wanted: 'override the policies',
  checkRun: {},
  console: {
    scope: 'override',
    body: {},
    examples: [{ words: 'acme/infra/network', does: 'show what denies, and ask' }],
    question: 'Let this plan go on anyway?',
  },
} as const satisfies ActionRow;
