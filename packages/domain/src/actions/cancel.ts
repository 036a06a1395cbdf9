import type { ActionRow } from './action.ts';

export const cancel = {
  about: 'deployment',
  verb: 'cancel',
  label: 'Cancel',
  description: 'End this deployment, waiting or running',
  summary: 'end a deployment that waits or runs',
  rule: 'cancel',
  judgedBy: 'permissions',
  infinitive: 'cancel this',
  done: 'cancelled the deployment',
  wanted: 'cancel the deployment',
  look: 'danger',
  console: {
    scope: 'cancel',
    body: {},
    examples: [
      { words: 'acme/infra/network', does: 'what runs there' },
      { words: '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', does: 'this one, which may still be waiting' },
    ],
  },
  comment: {
    words: 'roots',
    help: 'ends the deployments that run in the lanes, no matter who asked for them, and those of this pull request that wait there',
  },
} as const satisfies ActionRow;
