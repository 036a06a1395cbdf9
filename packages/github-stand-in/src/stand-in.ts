import { addComment, deleteComment } from './actions/comments.ts';
import { pressButton, requireCheckRun, rerequestCheckRun } from './actions/check-runs.ts';
import { ImpossibleError } from './errors.ts';
import { rerequestCheckSuite } from './events/check-suites.ts';
import {
  changeBase,
  closePullRequest,
  mergePullRequest,
  openPullRequest,
  reopenPullRequest,
  setDraft,
  updateBranch,
  type MergeInput,
  type NewPullRequest,
} from './actions/pull-requests.ts';
import { addPastChanges, type PastChange } from './actions/past-changes.ts';
import { dismissReview, reviewPullRequest, type NewReview } from './actions/reviews.ts';
import {
  deleteFork,
  openPullRequestFromFork,
  pushToFork,
  type ForkPush,
  type NewForkPullRequest,
} from './actions/forks.ts';
import { commitFiles, forcePush, type CommitInput } from './actions/pushes.ts';
import { cancelWorkflowRun, startWorkflowRun, type NewWorkflowRun } from './actions/workflow-runs.ts';
import { createRepository, reinstallApp, requireRepository, type NewRepository } from './actions/repositories.ts';
import { mintToken } from './auth/tokens.ts';
import type { Faults } from './faults/faults.ts';
import { readBranches } from './git/bare-repository.ts';
import {
  dequeue,
  enqueue,
  queueOf,
  setBranchRules,
  type GroupInFlight,
  type NewBranchRules,
} from './merge-queue/queue-actions.ts';
import { ensureAccount, renameAccount } from './state/accounts.ts';
import { commentsOf, findPullRequest, runsAt } from './state/find.ts';
import type {
  Account,
  CheckRun,
  CheckSuite,
  Comment,
  Delivery,
  Deployment,
  PullRequest,
  Repository,
  Review,
  Role,
  WorkflowRun,
} from './state/model.ts';
import type { RefusedRequest, RequestCount } from './traffic.ts';
import { sendPing } from './events/emit.ts';
import { directoryOf, type World } from './world.ts';

/** A pull request, by its repository's `owner/name` and its number. */
export interface PullRequestRef {
  readonly repository: string;
  readonly number: number;
}

/** The actions of people on github.com, and facts for tests. Repositories are named by `owner/name`, people by login. */
export interface GitHubActions {
  createRepository(input: NewRepository): Promise<Readonly<Repository>>;
  /** Adds pull requests as if the App had been installed after them. Sends no webhook. */
  addPastChanges(repository: string, changes: readonly PastChange[]): Promise<void>;
  /** Uninstalls the App from an account and installs it again. Its installation has another number then. */
  reinstallApp(account: string): void;
  setRole(repository: string, login: string, role: Role | undefined): void;
  /** A person changes their login; their id stays. */
  renameAccount(login: string, to: string): void;
  /** The person's account, created if it is new. */
  account(login: string): Readonly<Account>;
  /** Replaces the members of a team. */
  setTeam(organization: string, slug: string, members: readonly string[]): void;
  /** The head of a branch, the default branch unless given. */
  headOf(repository: string, branch?: string): Promise<string>;
  /** Commits, and sends the webhooks of a push of this one commit. Returns its SHA. */
  commit(input: CommitInput & { readonly repository: string }): Promise<string>;
  /** Moves a branch to any commit of the repository, as a forced push. */
  forcePush(input: { repository: string; branch: string; to: string; by: string }): Promise<string>;
  /** Sets the rules of a branch, or removes them; they hold from then on, also for the pull requests that are queued. */
  setBranchRules(repository: string, branch: string, rules: NewBranchRules | undefined): Promise<void>;
  /** The groups of a branch's merge queue whose checks were requested, in the order of merging. */
  queueOf(repository: string, branch: string): readonly GroupInFlight[];
  openPullRequest(input: NewPullRequest & { readonly repository: string }): Promise<Readonly<PullRequest>>;
  openPullRequestFromFork(input: NewForkPullRequest & { readonly repository: string }): Promise<Readonly<PullRequest>>;
  /** Moves the head of a pull request from a fork. Returns its new head. */
  pushToFork(pr: PullRequestRef, push: ForkPush): Promise<string>;
  deleteFork(pr: PullRequestRef): void;
  reopenPullRequest(pr: PullRequestRef, by: string): Promise<void>;
  convertToDraft(pr: PullRequestRef, by: string): Promise<void>;
  readyForReview(pr: PullRequestRef, by: string): Promise<void>;
  changeBase(pr: PullRequestRef, base: string, by: string): Promise<void>;
  approve(pr: PullRequestRef, by: string): Promise<Readonly<Review>>;
  review(pr: PullRequestRef, review: NewReview): Promise<Readonly<Review>>;
  /** Dismisses the last approval or request for changes of `of`. */
  dismissReview(pr: PullRequestRef, input: { readonly of: string; readonly by: string }): Promise<void>;
  /** Merges the base into the branch with the change. Returns its new head. */
  updateBranch(pr: PullRequestRef, by: string): Promise<string>;
  /** Returns the new head of the base branch. */
  mergePullRequest(pr: PullRequestRef, input: MergeInput): Promise<string>;
  /** Puts a pull request that could be merged into the merge queue of its base branch. */
  enqueue(pr: PullRequestRef, by: string): Promise<void>;
  dequeue(pr: PullRequestRef, by: string): Promise<void>;
  closePullRequest(pr: PullRequestRef, by: string): Promise<void>;
  comment(pr: PullRequestRef, login: string, body: string): Readonly<Comment>;
  /** A person deletes a comment, whoever wrote it. */
  deleteComment(pr: PullRequestRef, id: number, by: string): void;
  /** Presses a button of a check run. The App has to find out whether the person may. */
  pressButton(checkRunId: number, identifier: string, login: string): void;
  rerequestCheckRun(checkRunId: number, login: string): void;
  rerequestCheckSuite(checkSuiteId: number, login: string): Promise<void>;
  /** Newest first; only those of one commit when a SHA is given. */
  checkRuns(repository: string, sha?: string): readonly Readonly<CheckRun>[];
  checkSuites(repository: string): readonly Readonly<CheckSuite>[];
  /** Oldest first, each with its states. */
  deployments(repository: string): readonly Readonly<Deployment>[];
  /** A run comes to a job for an environment that the App protects, and waits for its word. */
  startWorkflowRun(repository: string, run: NewWorkflowRun): Readonly<WorkflowRun>;
  cancelWorkflowRun(id: number): void;
  /** Oldest first, each with the words of the App. */
  workflowRuns(repository: string): readonly Readonly<WorkflowRun>[];
  comments(pr: PullRequestRef): readonly Readonly<Comment>[];
  pullRequest(pr: PullRequestRef): Readonly<PullRequest>;
  /** Newest first. */
  pullRequests(repository: string): readonly Readonly<PullRequest>[];
  /** Attempts to deliver webhooks, oldest first. */
  deliveries(): readonly Readonly<Delivery>[];
  /** Sends a webhook again, with the same GUID. Resolves with the new attempt. */
  redeliver(deliveryId: number): Promise<Readonly<Delivery>>;
  ping(): void;
  /** A token with which this person may fetch and push over HTTP, valid for an hour. */
  personToken(login: string): string;
  readonly faults: Faults;
  /** Every API request that GitHub would have refused, and every one to a route that the stand-in does not have. */
  refusedRequests(): readonly RefusedRequest[];
  /** Throws an error that lists the refused requests, if there are any. */
  assertNoRefusedRequests(): void;
  /** How often each route was asked, by status; the most frequent first. */
  requestCounts(): RequestCount[];
  /** The largest number of API requests that were under way at once. */
  mostRequestsAtOnce(): number;
  resetTraffic(): void;
  /** Calls the listener after every change of anything, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Resolves with the first defined result of `ask`, which is called again after every change. Rejects after the deadline. */
  waitFor<T>(ask: () => T | undefined, options: { readonly what: string; readonly deadlineMs: number }): Promise<T>;
  /** Resolves when no webhook is on its way. */
  settled(): Promise<void>;
}

export function createActions(world: World, hookId: number): GitHubActions {
  const { store } = world;
  return {
    ...repositoryActions(world),
    ...pullRequestActions(world),
    ...checkActions(world),
    deliveries: () => [...store.state.deliveries],
    async redeliver(deliveryId) {
      const delivery = store.state.deliveries.find(({ id }) => id === deliveryId);
      if (!delivery) throw new ImpossibleError(`there is no delivery ${deliveryId}`);
      return world.webhooks.redeliver(delivery);
    },
    ping: () => {
      sendPing(world, world.webhooks.url(), hookId);
    },
    reinstallApp(account) {
      reinstallApp(world, account);
    },
    renameAccount(login, to) {
      renameAccount(store, login, to);
    },
    startWorkflowRun: (fullName, run) => startWorkflowRun(world, requireRepository(world, fullName), run),
    cancelWorkflowRun: (id) => {
      cancelWorkflowRun(world, id);
    },
    workflowRuns(fullName) {
      const { id } = requireRepository(world, fullName);
      return store.state.workflowRuns.filter(({ repositoryId }) => repositoryId === id);
    },
    account: (login) => ({ ...ensureAccount(store, login) }),
    personToken: (login) => mintToken(store, { kind: 'person', login }).token,
    faults: world.faults,
    refusedRequests: () => world.traffic.refused(),
    assertNoRefusedRequests: () => {
      assertNone(world.traffic.refused());
    },
    requestCounts: () => world.traffic.counts(),
    mostRequestsAtOnce: () => world.traffic.mostAtOnce(),
    resetTraffic: () => {
      world.traffic.reset();
    },
    onChange: (listener) => store.onChange(listener),
    waitFor: (ask, options) => waitFor(world, ask, options),
    settled: () => world.webhooks.settled(),
  };
}

type RepositoryActions =
  | 'createRepository'
  | 'addPastChanges'
  | 'setRole'
  | 'setTeam'
  | 'headOf'
  | 'commit'
  | 'forcePush'
  | 'setBranchRules'
  | 'queueOf';

function repositoryActions(world: World): Pick<GitHubActions, RepositoryActions> {
  const { store } = world;
  return {
    createRepository: (input) => createRepository(world, input),
    addPastChanges: (fullName, changes) => addPastChanges(world, requireRepository(world, fullName), changes),
    setRole(fullName, login, role) {
      const { collaborators } = requireRepository(world, fullName);
      ensureAccount(world.store, login);
      if (role) collaborators[login] = role;
      else Reflect.deleteProperty(collaborators, login);
      store.changed();
    },
    setTeam(organization, slug, members) {
      store.state.teams = store.state.teams.filter((team) => team.organization !== organization || team.slug !== slug);
      store.state.teams.push({ organization, slug, members: [...members] });
      store.changed();
    },
    async headOf(fullName, branch) {
      const repository = requireRepository(world, fullName);
      const name = branch ?? repository.defaultBranch;
      const sha = (await readBranches(directoryOf(world, repository))).get(name);
      if (sha === undefined) throw new ImpossibleError(`${fullName} has no branch ${name}`);
      return sha;
    },
    commit: ({ repository, ...input }) => commitFiles(world, requireRepository(world, repository), input),
    forcePush: ({ repository, branch, to, by }) =>
      forcePush(world, requireRepository(world, repository), branch, to, by),
    setBranchRules: (fullName, branch, rules) =>
      setBranchRules(world, requireRepository(world, fullName), branch, rules),
    queueOf: (fullName, branch) => queueOf(world, requireRepository(world, fullName), branch),
  };
}

type PullRequestActions =
  | 'openPullRequest'
  | 'openPullRequestFromFork'
  | 'pushToFork'
  | 'deleteFork'
  | 'reopenPullRequest'
  | 'convertToDraft'
  | 'readyForReview'
  | 'changeBase'
  | 'approve'
  | 'review'
  | 'dismissReview'
  | 'updateBranch'
  | 'mergePullRequest'
  | 'enqueue'
  | 'dequeue'
  | 'closePullRequest'
  | 'comment'
  | 'deleteComment'
  | 'comments'
  | 'pullRequest'
  | 'pullRequests';

function pullRequestActions(world: World): Pick<GitHubActions, PullRequestActions> {
  const find = (ref: PullRequestRef): [Repository, PullRequest] => {
    const repository = requireRepository(world, ref.repository);
    const pr = findPullRequest(world.store, repository, ref.number);
    if (!pr) throw new ImpossibleError(`${ref.repository} has no pull request #${ref.number}`);
    return [repository, pr];
  };
  return {
    openPullRequest: ({ repository, ...input }) => openPullRequest(world, requireRepository(world, repository), input),
    openPullRequestFromFork: ({ repository, ...input }) =>
      openPullRequestFromFork(world, requireRepository(world, repository), input),
    pushToFork: (ref, push) => pushToFork(world, ...find(ref), push),
    deleteFork: (ref) => {
      deleteFork(world, find(ref)[1]);
    },
    reopenPullRequest: (ref, by) => reopenPullRequest(world, ...find(ref), by),
    convertToDraft: (ref, by) => setDraft(world, ...find(ref), { draft: true, by }),
    readyForReview: (ref, by) => setDraft(world, ...find(ref), { draft: false, by }),
    changeBase: (ref, base, by) => changeBase(world, ...find(ref), { base, by }),
    approve: (ref, by) => reviewPullRequest(world, ...find(ref), { state: 'APPROVED', by }),
    review: (ref, input) => reviewPullRequest(world, ...find(ref), input),
    dismissReview: (ref, input) => dismissReview(world, ...find(ref), input),
    updateBranch: (ref, by) => updateBranch(world, ...find(ref), by),
    mergePullRequest: (ref, input) => mergePullRequest(world, ...find(ref), input),
    enqueue: (ref, by) => enqueue(world, ...find(ref), by),
    dequeue: (ref, by) => dequeue(world, ...find(ref), by),
    closePullRequest: (ref, by) => closePullRequest(world, ...find(ref), by),
    comment: (ref, author, body) => addComment(world, ...find(ref), { author, body }),
    deleteComment: (ref, id, by) => {
      deleteComment(world, ...find(ref), { id, by });
    },
    comments: (ref) => commentsOf(world.store, find(ref)[1]),
    pullRequest: (ref) => find(ref)[1],
    pullRequests(fullName) {
      const repository = requireRepository(world, fullName);
      return world.store.state.pullRequests.filter(({ repositoryId }) => repositoryId === repository.id).reverse();
    },
  };
}

type CheckActions =
  'pressButton' | 'rerequestCheckRun' | 'rerequestCheckSuite' | 'checkRuns' | 'deployments' | 'checkSuites';

function checkActions(world: World): Pick<GitHubActions, CheckActions> {
  const { state } = world.store;
  return {
    pressButton(checkRunId, identifier, login) {
      const { run, repository } = requireCheckRun(world, checkRunId);
      pressButton(world, repository, run, identifier, login);
    },
    rerequestCheckRun(checkRunId, login) {
      const { run, repository } = requireCheckRun(world, checkRunId);
      rerequestCheckRun(world, repository, run, login);
    },
    async rerequestCheckSuite(checkSuiteId, login) {
      const suite = state.checkSuites.find(({ id }) => id === checkSuiteId);
      const repository = state.repositories.find(({ id }) => id === suite?.repositoryId);
      if (!suite || !repository) throw new ImpossibleError(`there is no check suite ${checkSuiteId}`);
      await rerequestCheckSuite(world, repository, suite, login);
    },
    checkRuns(fullName, sha) {
      const repository = requireRepository(world, fullName);
      if (sha !== undefined) return runsAt(world.store, repository, sha);
      return state.checkRuns.filter(({ repositoryId }) => repositoryId === repository.id).reverse();
    },
    deployments(fullName) {
      const repository = requireRepository(world, fullName);
      return state.deployments.filter(({ repositoryId }) => repositoryId === repository.id);
    },
    checkSuites(fullName) {
      const repository = requireRepository(world, fullName);
      return state.checkSuites.filter(({ repositoryId }) => repositoryId === repository.id).reverse();
    },
  };
}

function assertNone(refused: readonly RefusedRequest[]): void {
  if (refused.length === 0) return;
  const lines = refused.map(({ method, path, reasons, body }) => `${method} ${path}: ${reasons.join('; ')}\n  ${body}`);
  throw new Error(`GitHub would have refused ${refused.length} requests:\n${lines.join('\n')}`);
}

async function waitFor<T>(
  world: World,
  ask: () => T | undefined,
  { what, deadlineMs }: { readonly what: string; readonly deadlineMs: number },
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const look = (): void => {
    try {
      const found = ask();
      if (found !== undefined) resolve(found);
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const timer = setTimeout(() => {
    reject(new Error(`${what} was expected within ${deadlineMs} ms and did not happen`));
  }, deadlineMs);
  const stop = world.store.onChange(look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}
