/**
 * What a GitHub App has to be granted to work for Nereid: the one list, from which an App is made and by which one is judged.
 * Imports nothing, so that whoever makes an App needs no client of GitHub.
 */

/**
 * When an App needs something. `teams`: a rule names a team; `merge queues`: pull requests are planned, and a branch has a queue;
 * `deployments`: GitHub is to show what is deployed where; `protection rules`: jobs of GitHub Actions wait for roots.
 */
export type NeededFor = 'everything' | 'teams' | 'merge queues' | 'deployments' | 'protection rules';

export interface NeededPermission {
  /** As GitHub's API and the manifest of an App write it. */
  readonly name: string;
  readonly level: 'read' | 'write';
  /** As the App's page on GitHub writes it. */
  readonly label: string;
  readonly of: 'repository' | 'organisation';
  readonly neededFor: NeededFor;
  /** What Nereid does with it: a clause that goes on after "to". */
  readonly why: string;
}

export interface NeededEvent {
  readonly name: string;
  readonly label: string;
  readonly why: string;
  readonly neededFor: NeededFor;
}

export const APP_PERMISSIONS = [
  {
    name: 'checks',
    level: 'write',
    label: 'Checks',
    of: 'repository',
    neededFor: 'everything',
    why: 'show plans and results as check runs, with buttons',
  },
  {
    name: 'contents',
    level: 'read',
    label: 'Contents',
    of: 'repository',
    neededFor: 'everything',
    why: 'fetch commits, and compare them',
  },
  {
    name: 'issues',
    level: 'read',
    label: 'Issues',
    of: 'repository',
    neededFor: 'everything',
    why: 'learn of comments on pull requests: the event issue_comment requires it',
  },
  {
    name: 'metadata',
    level: 'read',
    label: 'Metadata',
    of: 'repository',
    neededFor: 'everything',
    why: 'know repositories, and the permissions of people in them',
  },
  {
    name: 'pull_requests',
    level: 'write',
    label: 'Pull requests',
    of: 'repository',
    neededFor: 'everything',
    why: 'find who brought a change and who approved it, and comment with the plans of a pull request',
  },
  {
    name: 'merge_queues',
    level: 'read',
    label: 'Merge queues',
    of: 'repository',
    neededFor: 'merge queues',
    why: 'plan the groups of a merge queue',
  },
  {
    name: 'members',
    level: 'read',
    label: 'Members',
    of: 'organisation',
    neededFor: 'teams',
    why: 'know the members of the teams in rules',
  },
  {
    name: 'deployments',
    level: 'write',
    label: 'Deployments',
    of: 'repository',
    neededFor: 'deployments',
    why: 'show which commit each root was deployed at',
  },
  {
    name: 'deployments',
    level: 'write',
    label: 'Deployments',
    of: 'repository',
    neededFor: 'protection rules',
    why: 'let jobs of GitHub Actions go once roots are applied',
  },
  {
    name: 'actions',
    level: 'read',
    label: 'Actions',
    of: 'repository',
    neededFor: 'protection rules',
    why: 'protect environments of GitHub Actions, which requires it, and learn which runs have ended',
  },
] as const satisfies readonly NeededPermission[];

/** Those of checks come with the permission: nobody subscribes to them. */
export const APP_EVENTS = [
  { name: 'push', label: 'Push', neededFor: 'everything', why: 'deploy merges' },
  {
    name: 'pull_request',
    label: 'Pull request',
    neededFor: 'everything',
    why: 'plan pull requests, and see their merges',
  },
  { name: 'issue_comment', label: 'Issue comment', neededFor: 'everything', why: 'take commands in comments' },
  {
    name: 'merge_group',
    label: 'Merge group',
    neededFor: 'merge queues',
    why: 'plan the groups of a merge queue',
  },
  {
    name: 'deployment_protection_rule',
    label: 'Deployment protection rule',
    neededFor: 'protection rules',
    why: 'learn of jobs of GitHub Actions that wait for roots',
  },
] as const satisfies readonly NeededEvent[];

/** The permissions that an App or one of its installations was granted; levels are `read`, `write` or `admin`. */
export interface Granted {
  readonly permissions: Readonly<Record<string, string | undefined>>;
  readonly events: readonly string[];
}

/** The needs of these that were not granted. */
export function missingOf(
  { permissions, events }: Granted,
  neededFor: readonly NeededFor[],
): { readonly permissions: readonly NeededPermission[]; readonly events: readonly NeededEvent[] } {
  const isNeeded = (need: { readonly neededFor: NeededFor }) => neededFor.includes(need.neededFor);
  return {
    permissions: APP_PERMISSIONS.filter(isNeeded).filter(
      ({ name, level }) => LEVELS.indexOf(permissions[name] ?? '') < LEVELS.indexOf(level),
    ),
    events: APP_EVENTS.filter(isNeeded).filter(({ name }) => !events.includes(name)),
  };
}

const LEVELS: readonly string[] = ['read', 'write', 'admin'];
