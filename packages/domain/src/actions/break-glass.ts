import type { ActionRow } from './action.ts';

export const breakGlass = {
  about: 'deployment',
  verb: 'break-glass',
  label: 'Break glass',
  description: 'Let it pass stops and windows',
  summary:
    'let one deployment pass stops and windows, in an emergency: the queue, locks, policies and reviews still count',
  rule: 'break_glass',
  judgedBy: 'apply_force',
  least: 'admin',
  infinitive: 'let this pass stops and windows',
  done: 'let the deployment pass stops and windows',
  wanted: 'let the deployment pass stops and windows',
  look: 'danger',
  console: {
    scope: 'stop',
    body: { reason: 'reason' },
    details: [
      'It takes the permission apply_force, and holds for a day and for exactly the plan that waits.',
      'A deployment that waits before its plan is then planned, and its apply needs a second one.',
    ],
    examples: [
      { words: 'acme/infra/network "the site is down"', does: 'apply what waits there, in the middle of a freeze' },
    ],
  },
} as const satisfies ActionRow;
