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
    details: ['From the press on, the plan waits for as long as it did at first: 7d, or review.expires.'],
    examples: [{ words: 'acme/infra/network', does: 'the plan that waits there' }],
  },
} as const satisfies ActionRow;
