/** How people act on github.com, put together from the files of each noun. */
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
} from './actions/pull-requests.ts';
import { addPastChanges } from './actions/past-changes.ts';
import { dismissReview, reviewPullRequest } from './actions/reviews.ts';
import { deleteFork, openPullRequestFromFork, pushToFork } from './actions/forks.ts';
import { commitFiles, forcePush } from './actions/pushes.ts';
import { cancelWorkflowRun, rerunWorkflowRun, startWorkflowRun } from './actions/workflow-runs.ts';
import { createRepository, reinstallApp, requireRepository } from './actions/repositories.ts';
import { mintToken } from './auth/tokens.ts';
import { readBranches } from './git/bare-repository.ts';
import { dequeue, enqueue, queueOf, setBranchRules } from './merge-queue/queue-actions.ts';
import { ensureAccount, renameAccount } from './state/accounts.ts';
import { commentsOf, findPullRequest, runsAt } from './state/find.ts';
import type { PullRequest, Repository } from './state/model.ts';
import type { RefusedRequest } from './traffic.ts';
import { sendPing } from './events/emit.ts';
import { directoryOf, type World } from './world.ts';
import type { GitHubActions, PullRequestRef } from './github-actions.ts';

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
    rerunWorkflowRun: (id, by) => rerunWorkflowRun(world, id, by),
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
