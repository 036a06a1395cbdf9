/**
 * The place where repositories and pull requests are, as Nereid needs it: types, and functions that adapters and their callers
 * share. Knows no lane, no deployment and no forge in particular.
 */
export type { Forge } from './forge.ts';
export { ForgeRefusedError, ForgeShutOutError, ForgeUnavailableError, isRefused } from './errors.ts';
export type { Comments, KeptCommentRequest, KeptComments, NewComment, Reaction } from './comments.ts';
export type { BringingPullRequest, CommitContributors, Commits } from './commits.ts';
export type { Deliveries, FailedDelivery } from './deliveries.ts';
export { RUN_COMMENT_LIMIT, type EnvironmentDeployment, type Environments, type RunAnswer } from './environments.ts';
export * from './markdown/markdown.ts';
export { renderNotice, renderWarning, withNotice } from './markdown/notice.ts';
export type { Pages } from './pages.ts';
export { together, type Contributors } from './people/contributors.ts';
export { PERMISSIONS, type People, type Permission, type ReaderFound } from './people/people.ts';
export { isBot, isSamePerson, type Person } from './people/person.ts';
export type { Teams } from './people/teams.ts';
export type { Approvals, ReadReviews, Review } from './pull-request/approvals.ts';
export type { MergeGroup, MergeQueue } from './pull-request/merge-queue.ts';
export type { ListedPullRequest, PullRequest, PullRequests } from './pull-request/pull-requests.ts';
export type { GitToken, ReadToken } from './read-token.ts';
export type { BranchMove, InstalledRepository, MovesOf, ReadMoves, Repositories } from './repositories.ts';
export type { BackgroundOptions, Priority } from './status/background.ts';
export type { Buttons, Press } from './status/buttons.ts';
export type { Button, CheckRunConclusion, CheckRunContent } from './status/content.ts';
export type { CreateOptions, OwnCheckRun, PresentOptions, Statuses } from './status/statuses.ts';
