import type { ActionRow } from './action.ts';
import { rerun } from './rerun.ts';

/** By the rules of Re-run, and with its words. */
export const deploy = {
  ...rerun,
  about: 'repository',
  verb: 'deploy',
  label: 'Deploy',
  description: 'Queue this revision',
  summary: 'deploy a commit of the deployed branch to roots, by the rules of a re-run',
  console: {
    scope: 'deploy',
    body: { revision: 'revision', roots: 'roots' },
    details: [
      'With --wait, it says why the deployments wait, and where to review their plans. Exit code 6: one of them was not applied.',
    ],
    examples: [
      { words: 'acme/infra origin/main network dns', does: 'to two roots, in a clone' },
      { words: 'acme/infra "$SHA" network --wait --timeout 1h', does: 'in a script: its exit code tells' },
    ],
    waits: true,
  },
} as const satisfies ActionRow;
