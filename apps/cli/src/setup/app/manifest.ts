/** The App that GitHub is asked to make, and where. Pure. */
import { APP_EVENTS, APP_PERMISSIONS, type NeededFor } from '@nereid/github/app-needs';
import type { Answers } from '../kept/answers.ts';

/** By the names of GitHub's guide. */
export interface Manifest {
  readonly name: string;
  readonly url: string;
  readonly hook_attributes: { readonly url: string; readonly active: true };
  readonly redirect_url: string;
  readonly callback_urls: readonly string[];
  readonly description: string;
  readonly public: false;
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly default_events: readonly string[];
}

/** `redirectUrl` is where the person comes back with a code. */
export function manifestOf(answers: Answers, redirectUrl: string): Manifest {
  const { name, gatewayUrl, consoleUrl } = answers;
  const { permissions, events } = needsOf(answers);
  return {
    name,
    url: consoleUrl,
    hook_attributes: { url: `${gatewayUrl}/events`, active: true },
    redirect_url: redirectUrl,
    callback_urls: [`${consoleUrl}/login/callback`],
    description: 'Plans and applies Terraform for merged changes.',
    public: false,
    default_permissions: permissions,
    default_events: events,
  };
}

/** Exactly what is needed, and what was asked for in addition. */
export function needsOf({ teams, mergeQueues }: Pick<Answers, 'teams' | 'mergeQueues'>) {
  const reasons: readonly NeededFor[] = [
    'everything',
    ...(teams ? (['teams'] as const) : []),
    ...(mergeQueues ? (['merge queues'] as const) : []),
  ];
  const isNeeded = ({ neededFor }: { readonly neededFor: NeededFor }) => reasons.includes(neededFor);
  return {
    permissions: Object.fromEntries(APP_PERMISSIONS.filter(isNeeded).map(({ name, level }) => [name, level])),
    events: APP_EVENTS.filter(isNeeded).map(({ name }) => name),
  };
}

/** Each permission with what it is for, for people. */
export function reasonsOf({ default_permissions: asked }: Manifest): readonly string[] {
  return APP_PERMISSIONS.filter(({ name }) => name in asked).map(
    ({ name, level, why }) => `${name}: ${level}, to ${why}`,
  );
}

/** The page that takes the manifest. */
export function newAppPage({ githubUrl, organization }: Answers): string {
  const owner = organization === undefined ? '' : `/organizations/${organization}`;
  return `${githubUrl}${owner}/settings/apps/new`;
}

/** The page that lists the Apps of the owner. */
export function appsPage({ githubUrl, organization }: Answers): string {
  const owner = organization === undefined ? '' : `/organizations/${organization}`;
  return `${githubUrl}${owner}/settings/apps`;
}
