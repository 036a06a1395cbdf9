import type { Forge } from '@nereid/forge';
import { createAppStatus, type AppStatus } from './app/app-status.ts';
import { createCheckRuns } from './check-run/check-runs.ts';
import { createClients, SILENT, type ClientOptions } from './client/clients.ts';
import { installationToken } from './client/installation-token.ts';
import type { InstallationLimits } from './client/limits/keep-limits.ts';
import { createComments } from './comments.ts';
import { createCommits } from './commits.ts';
import { createCompare } from './compare.ts';
import { createDeliveries } from './deliveries.ts';
import { createEnvironments } from './environments.ts';
import { createInstallations } from './installations.ts';
import { githubPages } from '@nereid/github-pages';
import { createPeople } from './people/people.ts';
import { createFindReader } from './people/readers.ts';
import { createTeams } from './people/teams.ts';
import { createKeptComments } from './pull-request/kept-comments.ts';
import { createPullRequests } from './pull-request/pull-requests.ts';
import { createRepositories } from './repository/repositories.ts';

/** A forge that lacks nothing, and what only GitHub has. Throws `GitHubUnavailableError` (ask again) or `GitHubRefusedError` (do not). */
export interface GitHub extends Required<Forge> {
  /** The rest of GitHub's limits for each installation that was used. */
  limits(): readonly InstallationLimits[];
  readonly appStatus: AppStatus;
}

export interface GitHubOptions extends ClientOptions {
  /** Where people see GitHub; default: `https://github.com`. */
  readonly webUrl?: string;
}

export function createGitHub({ webUrl = 'https://github.com', ...options }: GitHubOptions): GitHub {
  const clients = createClients(options);
  const deliveries = createDeliveries(clients);
  const repositories = { ...createRepositories(clients), ...createInstallations(clients) };
  const pullRequests = createPullRequests(clients);
  return {
    name: 'GitHub',
    pages: githubPages(webUrl),
    status: createCheckRuns(clients, options.appId),
    comments: { ...createComments(clients), kept: createKeptComments(clients) },
    commits: { ...createCommits(clients), compare: createCompare(clients) },
    people: { ...createPeople(clients), findReader: createFindReader(clients) },
    pullRequests,
    repositories,
    readToken: (repository, others) => installationToken(clients, repository, { contents: 'read' }, others),
    buttons: deliveries,
    approvals: pullRequests,
    teams: createTeams(clients, options.log ?? SILENT),
    mergeQueue: repositories,
    deliveries,
    environments: createEnvironments(clients),
    limits: clients.limits,
    appStatus: createAppStatus(clients),
  };
}
