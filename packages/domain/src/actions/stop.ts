import type { ActionRow } from './action.ts';
import { STOP_LENGTH } from './limits/stop-length.ts';

export const stop = {
  about: 'repository',
  verb: 'stop',
  label: 'Stop',
  description: 'Let nothing begin for a while',
  summary: 'let no plan and no apply of a repository begin for a while, whatever was confirmed',
  rule: 'stop',
  judgedBy: 'permissions',
  least: 'admin',
  infinitive: 'stop the deployments of this repository',
  done: 'stopped the deployments of the repository',
  wanted: 'stop the deployments of the repository',
  console: {
    scope: 'stop',
    body: { for: 'duration', reason: 'reason', directories: 'directories' },
    details: [
      `FOR is a time from ${STOP_LENGTH.shortest} to ${STOP_LENGTH.longest}. A stop ends by itself after it, or with nereid thaw; to prolong it, stop again.`,
      'Without a DIRECTORY, which may be a glob, it covers the whole repository.',
      'A running apply is not stopped, and one that has permission may still begin within ten minutes: the answer names them.',
      'It takes the permission stop, which admins of the repository have by default.',
    ],
    examples: [
      {
        words: 'acme/infra 2h "the registry is down"',
        does: 'deployments that wait say who stopped them, why, and until when',
      },
      { words: 'acme/infra 7d "audit" "prod/**"', does: 'only the roots below prod' },
    ],
  },
} as const satisfies ActionRow;
