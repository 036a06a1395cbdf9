import type { ActionRow } from './action.ts';

export const unlock = {
  about: 'lane',
  verb: 'unlock',
  label: 'Unlock',
  description: 'Let waiting deployments go on',
  summary: 'lift the lock of a lane, so that waiting deployments go on',
  rule: 'unlock',
  judgedBy: 'permissions',
  infinitive: 'unlock this',
  done: 'unlocked the lane',
  wanted: 'unlock the lane',
  checkRun: {},
  console: {
    scope: 'unlock',
    body: { deployment: 'lock' },
    details: ['It says who or what locked the lane, and what goes on without the lock, and asks.'],
    examples: [{ words: 'acme/infra/network', does: 'after you have looked at what the last deployment left' }],
    question: 'Lift this lock?',
  },
  comment: { words: 'roots', help: 'lifts the locks of the lanes, so that waiting deployments go on' },
} as const satisfies ActionRow;
