import type { Repository } from '@nereid/domain/root';
import { createAppStatus, type AppStatus } from './app/app-status.ts';
import { createCheckRuns, type CheckRuns } from './check-run/check-runs.ts';
import { createClients, SILENT, type ClientOptions } from './client/clients.ts';
import { createComments, type Comments } from './comments.ts';
import { createCommits, type Commits } from './commits.ts';
import { createCompare, type Compare } from './compare.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createInstallations, type Installations } from './installations.ts';
import { installationToken, type InstallationToken, type TokenPermissions } from './client/installation-token.ts';
import type { InstallationLimits } from './client/limits/keep-limits.ts';
import { createKeptComments, type KeptComments } from './pull-request/kept-comments.ts';
import { createPeople, type People } from './people/people.ts';
import { createFindReader, type FindReader } from './people/readers.ts';
import { createPullRequests, type PullRequests } from './pull-request/pull-requests.ts';
import { createRepositories, type Repositories } from './repository/repositories.ts';

/** Everything Nereid asks of GitHub. Throws `GitHubUnavailableError` (ask again) or `GitHubRefusedError` (do not). */
export interface GitHub extends People {
  /** A token for git, narrowed to one repository and `others` of its owner; reused until five minutes before its end. */
  installationToken(
    repository: Repository,
    permissions: TokenPermissions,
    others?: readonly string[],
  ): Promise<InstallationToken>;
  /** Compares `head` with `base`; a revision that is gone counts as diverged. */
  readonly compare: Compare;
  /** Whether somebody who looks at pages may read a repository. Never for what they do: that is asked anew. */
  readonly findReader: FindReader;
  /** The rest of GitHub's limits for each installation that was used; for metrics. */
  limits(): readonly InstallationLimits[];
  readonly appStatus: AppStatus;
  readonly checkRuns: CheckRuns;
  readonly comments: Comments;
  readonly commits: Commits;
  readonly deliveries: Deliveries;
  readonly installations: Installations;
  readonly keptComments: KeptComments;
  readonly pullRequests: PullRequests;
  readonly repositories: Repositories;
}

export type GitHubOptions = ClientOptions;

export function createGitHub(options: GitHubOptions): GitHub {
  const clients = createClients(options);
  return {
    ...createPeople(clients, options.log ?? SILENT),
    installationToken: (...wanted) => installationToken(clients, ...wanted),
    compare: createCompare(clients),
    findReader: createFindReader(clients),
    limits: clients.limits,
    appStatus: createAppStatus(clients),
    checkRuns: createCheckRuns(clients, options.appId),
    comments: createComments(clients),
    commits: createCommits(clients),
    deliveries: createDeliveries(clients),
    installations: createInstallations(clients),
    keptComments: createKeptComments(clients),
    pullRequests: createPullRequests(clients),
    repositories: createRepositories(clients),
  };
}
