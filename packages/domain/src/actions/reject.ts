import type { ActionRow } from './action.ts';

export const reject = {
  about: 'plan',
  verb: 'reject',
  label: 'Reject',
  description: 'End this deployment, apply nothing',
  summary: 'end a deployment without applying its plan',
  rule: 'reject',
  judgedBy: 'permissions',
  infinitive: 'reject this',
  done: 'rejected the plan',
  wanted: 'reject the plan',
  checkRun: { answer: 'rejected' },
  console: {
    scope: 'review',
    body: {},
    examples: [{ words: 'acme/infra/network --yes', does: 'without a question' }],
    question: 'Reject this plan?',
  },
} as const satisfies ActionRow;
