/** GitHub as a forge: the App's client, check runs, people, comparison. Knows no Temporal, no lane and no deployment. */
export {
  APP_EVENTS,
  APP_PERMISSIONS,
  missingOf,
  type Granted,
  type NeededEvent,
  type NeededFor,
  type NeededPermission,
} from './app/app-needs.ts';
export type { AppGrants, AppStatus, InstallationGrants, LastDelivery, Webhook } from './app/app-status.ts';
export { readClockSkew } from './app/clock.ts';
export type { Log } from './client/clients.ts';
export type { CountedRequest } from './client/counted-requests.ts';
export { gitAuthorization } from './client/installation-token.ts';
export type { InstallationLimits } from './client/limits/keep-limits.ts';
export { GitHubRefusedError, GitHubShutOutError, GitHubUnavailableError } from './errors.ts';
export { createGitHub, type GitHub, type GitHubOptions } from './github.ts';
