import type { ActionRow } from './action.ts';

export const extend = {
  about: 'deployment',
  verb: 'extend',
  label: 'Extend',
  description: 'Wait longer for the review of this plan',
  summary: 'let a plan wait for its review for longer',
  rule: 'extend',
  judgedBy: 'permissions',
  infinitive: 'extend the review of this',
  done: 'extended the review of the plan',
  wanted: 'extend the review of the plan',
  console: {
    scope: 'review',
    body: {},
    details: ['From then on, the review is open for as long as it was when the plan was made: 7d, or review.expires.'],
    examples: [{ words: 'acme/infra/network', does: 'the plan that waits there' }],
  },
} as const satisfies ActionRow;
