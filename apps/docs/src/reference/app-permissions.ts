import { APP_EVENTS, APP_PERMISSIONS, type NeededFor } from '@nereid/github/app-needs';
import { page, table } from './markdown.ts';

const WHEN: Readonly<Record<NeededFor, string>> = {
  everything: 'always',
  teams: 'if a rule names a team',
  'protection rules': 'if the file has `protection_rules`',
  'merge queues': 'if pull requests are planned and a branch has a merge queue',
  deployments: 'if the file has `deployments`',
};

/** From the list by which `nereid setup` makes the App, and the doctor judges it. */
export function appPermissionsPage(): string {
  return page(
    '# Permissions of the App',
    'The GitHub App needs exactly these permissions. `nereid setup` creates it with those that are always needed and, if you say so, with those\nfor teams and merge queues. Add the others on the page of the App: [the doctor](../operate/doctor.md) names missing ones. With these\npermissions, nobody can change code, settings or secrets of a repository.',
    '## Permissions',
    table(
      ['Permission', 'Of the', 'Level', 'Needed', 'To'],
      APP_PERMISSIONS.map(({ label, of, level, neededFor, why }) => [label, of, level, WHEN[neededFor], why]),
    ),
    '## Events',
    'Events of checks come with their permission, without a subscription. All other events are ignored.',
    table(
      ['Event', 'Needed', 'To'],
      APP_EVENTS.map(({ name, neededFor, why }) => [`\`${name}\``, WHEN[neededFor], why]),
    ),
  );
}
