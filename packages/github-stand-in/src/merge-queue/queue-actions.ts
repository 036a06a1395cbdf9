import { ImpossibleError } from '../errors.ts';
import { emitPullRequest } from '../events/pull-request-events.ts';
import { isMergeable } from '../git/merge.ts';
import { ensureAccount } from '../state/accounts.ts';
import { findPullRequestById } from '../state/find.ts';
import type { CheckRun, MergeQueue, PullRequest, QueueEntry, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { directoryOf, type World } from '../world.ts';
import { rulesOf } from '../state/branch-rules.ts';
import { changeRepository } from './change-repository.ts';
import { removeEntries } from './remove-entries.ts';
import { requireReady } from './require-ready.ts';

export interface NewBranchRules {
  /** Names of check runs that have to pass before a pull request is merged. */
  readonly requiredChecks: readonly string[];
  /** `groupSize`: how many pull requests are checked and merged together at most, from 1 (the default) to 5. */
  readonly mergeQueue?: { readonly groupSize?: number };
}

/** A group of a merge queue whose checks were requested. */
export interface GroupInFlight {
  readonly branch: string;
  /** The head of the group before, or of the base branch for the first group. */
  readonly baseSha: string;
  readonly headSha: string;
  /** Their numbers, in the order of merging. */
  readonly pullRequests: readonly number[];
}

const LARGEST_GROUP = 5;

/** Sets or removes the rules of a branch. Without a merge queue among them, all pull requests leave the queue that was there. */
export async function setBranchRules(world: World, repository: Repository, branch: string, rules?: NewBranchRules) {
  const groupSize = rules?.mergeQueue?.groupSize ?? 1;
  if (!Number.isInteger(groupSize) || groupSize < 1 || groupSize > LARGEST_GROUP) {
    throw new ImpossibleError(`a group has 1 to ${LARGEST_GROUP} pull requests, found ${groupSize}`);
  }
  if (rules?.requiredChecks.includes('') === true) throw new ImpossibleError('a required check needs a name');
  await changeRepository(world, repository, () => {
    const { state } = world.store;
    state.branchRules = state.branchRules.filter((each) => each !== rulesOf(world.store, repository, branch));
    if (rules) {
      const requiredChecks = [...new Set(rules.requiredChecks)];
      const mergeQueue = rules.mergeQueue ? { groupSize } : null;
      state.branchRules.push({ repositoryId: repository.id, branch, requiredChecks, mergeQueue });
    }
    world.store.changed();
    return Promise.resolve();
  });
}

/** Puts a pull request into the merge queue of its base branch. */
export async function enqueue(world: World, repository: Repository, pr: PullRequest, by: string): Promise<void> {
  await changeRepository(world, repository, async () => {
    requireReady(world.store, repository, pr);
    if (!rulesOf(world.store, repository, pr.baseBranch)?.mergeQueue) {
      throw new ImpossibleError(`${pr.baseBranch} has no merge queue`);
    }
    const queue = ensureQueue(world, repository, pr.baseBranch);
    if (findEntry(queue, pr)) throw new ImpossibleError(`#${pr.number} is in the merge queue already`);
    if (!(await isMergeable(directoryOf(world, repository), pr.baseSha, pr.headSha))) {
      throw new ImpossibleError(`#${pr.number} has conflicts with ${pr.baseBranch}`);
    }
    ensureAccount(world.store, by);
    queue.waiting.push({ pullRequestId: pr.id, headSha: pr.headSha, by });
    pr.enqueued = [...(pr.enqueued ?? []), { id: world.store.newId(), by, at: now() }];
    await emitPullRequest(world, repository, pr, 'enqueued', by);
  });
}

/** Takes a pull request out of the merge queue. The pull requests behind it are grouped again. */
export async function dequeue(world: World, repository: Repository, pr: PullRequest, by: string): Promise<void> {
  await changeRepository(world, repository, async () => {
    const queue = findQueue(world, repository, pr.baseBranch);
    const entry = queue && findEntry(queue, pr);
    if (!entry) throw new ImpossibleError(`#${pr.number} is in no merge queue`);
    ensureAccount(world.store, by);
    await removeEntries(world, repository, queue, { entries: [entry], why: 'MANUAL', reason: 'dequeued', by });
  });
}

/** The groups whose checks were requested, in the order of merging. */
export function queueOf(world: World, repository: Repository, branch: string): GroupInFlight[] {
  return (findQueue(world, repository, branch)?.groups ?? []).flatMap(({ entries, commit }) =>
    commit
      ? [
          {
            branch: commit.branch,
            baseSha: commit.baseSha,
            headSha: commit.headSha,
            pullRequests: numbers(world, entries),
          },
        ]
      : [],
  );
}

/** The place of a pull request in its merge queue, from 1; undefined when it is in none. */
export function placeInQueue(world: World, repository: Repository, pr: PullRequest): number | undefined {
  const queue = findQueue(world, repository, pr.baseBranch);
  const entry = queue && findEntry(queue, pr);
  return entry && entriesOf(queue).indexOf(entry) + 1;
}

/** Lets the merge queues go on when a check run of one of their groups is completed. */
export async function followCheckRun(world: World, repository: Repository, run: CheckRun): Promise<void> {
  const isAwaited = world.store.state.mergeQueues.some(
    ({ repositoryId, groups }) =>
      repositoryId === repository.id && groups.some(({ commit }) => commit?.headSha === run.headSha),
  );
  if (run.status === 'completed' && isAwaited) await changeRepository(world, repository, () => Promise.resolve());
}

function findQueue(world: World, repository: Repository, branch: string): MergeQueue | undefined {
  return world.store.state.mergeQueues.find((each) => each.repositoryId === repository.id && each.branch === branch);
}

function ensureQueue(world: World, repository: Repository, branch: string): MergeQueue {
  const known = findQueue(world, repository, branch);
  if (known) return known;
  const queue: MergeQueue = { repositoryId: repository.id, branch, groups: [], waiting: [] };
  world.store.state.mergeQueues.push(queue);
  return queue;
}

function findEntry(queue: MergeQueue, pr: PullRequest): QueueEntry | undefined {
  return entriesOf(queue).find(({ pullRequestId }) => pullRequestId === pr.id);
}

function entriesOf({ groups, waiting }: MergeQueue): QueueEntry[] {
  return [...groups.flatMap(({ entries }) => entries), ...waiting];
}

function numbers(world: World, entries: readonly QueueEntry[]): number[] {
  return entries.map(({ pullRequestId }) => findPullRequestById(world.store, pullRequestId).number);
}
