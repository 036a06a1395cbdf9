import type { ActionRow } from './action.ts';

export const thaw = {
  about: 'repository',
  verb: 'thaw',
  label: 'Thaw',
  description: 'End all stops of this repository',
  summary: 'end all stops of a repository: its deployments go on at once',
  rule: 'thaw',
  judgedBy: 'permissions',
  least: 'admin',
  infinitive: 'let the deployments of this repository go on',
  done: 'ended all stops of the repository',
  wanted: 'end all stops of the repository',
  console: {
    scope: 'stop',
    body: {},
    details: ['It takes the permission thaw, which admins of the repository have by default.'],
    examples: [{ words: 'acme/infra', does: 'before they end by themselves' }],
  },
} as const satisfies ActionRow;
