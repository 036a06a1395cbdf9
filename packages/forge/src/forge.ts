import type { ReadToken } from './read-token.ts';
import type { Approvals } from './pull-request/approvals.ts';
import type { PullRequests } from './pull-request/pull-requests.ts';
import type { MergeQueue } from './pull-request/merge-queue.ts';
import type { Buttons } from './status/buttons.ts';
import type { Statuses } from './status/statuses.ts';
import type { Comments } from './comments.ts';
import type { Commits } from './commits.ts';
import type { Deliveries } from './deliveries.ts';
import type { Environments } from './environments.ts';
import type { Pages } from './pages.ts';
import type { People } from './people/people.ts';
import type { Teams } from './people/teams.ts';
import type { Repositories } from './repositories.ts';

/**
 * The place where repositories and pull requests are: all that Nereid needs of it. Every forge has the first members. An optional
 * member is a capability that a forge may lack. Features that need it then say so in other words, or are refused with a sentence
 * that names the forge, but never pass in silence.
 *
 * Everything that asks throws a `ForgeUnavailableError` (ask again) or a `ForgeRefusedError` (do not).
 */
export interface Forge {
  /** As people call it; begins sentences. */
  readonly name: string;
  readonly pages: Pages;
  /** What people see on a revision: the state of a deployment, of a plan, of a configuration. */
  readonly status: Statuses;
  readonly comments: Comments;
  readonly commits: Commits;
  readonly people: People;
  readonly pullRequests: PullRequests;
  readonly repositories: Repositories;
  readonly readToken: ReadToken;
  /** On a status. Without them, the status says in words how to answer. */
  readonly buttons?: Buttons;
  /** Reviews of pull requests. Without them, nothing that takes an approval is deployed by hand. */
  readonly approvals?: Approvals;
  /** Team membership. Without it, nobody meets a rule that takes a member of a team. */
  readonly teams?: Teams;
  /** Without one, there are no merge groups to plan. */
  readonly mergeQueue?: MergeQueue;
  /** Events that were sent and did not arrive. Without them, the reconciler finds what was missed, by and by. */
  readonly deliveries?: Deliveries;
  /** What is deployed where. Without it, `deployments` and `protection_rules` of the server's file have no effect. */
  readonly environments?: Environments;
}
