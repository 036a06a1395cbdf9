import type { ActionRow } from './action.ts';

export const confirm = {
  about: 'plan',
  verb: 'confirm',
  label: 'Confirm',
  description: 'Apply exactly this plan',
  summary: 'apply exactly the plan that was shown',
  rule: 'confirm',
  judgedBy: 'permissions',
  infinitive: 'confirm this',
  done: 'confirmed the plan',
  wanted: 'confirm the plan',
  checkRun: { answer: 'approved' },
  look: 'primary',
  console: {
    scope: 'review',
    body: {},
    details: ['The plan of a pull request is confirmed for its merge.'],
    examples: [
      { words: 'acme/infra/network', does: 'show the plan that waits there, and ask' },
      { words: 'acme/infra/network --wait', does: 'ask, confirm, and wait until it is applied' },
    ],
    question: 'Confirm this plan?',
    waits: true,
  },
} as const satisfies ActionRow;
