import { ImpossibleError } from '../errors.ts';
import type { BranchMove } from '../events/branch-move.ts';
import { moveBranch, NO_COMMIT, readBranches } from '../git/bare-repository.ts';
import { mergeCommits, type MergeKind } from '../git/merge.ts';
import { rulesOf } from '../state/branch-rules.ts';
import { changeRepository } from '../merge-queue/change-repository.ts';
import { requireReady } from '../merge-queue/require-ready.ts';
import { ensureAccount, signatureOf } from '../state/accounts.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { directoryOf, type World } from '../world.ts';
import { endPullRequest, emitPullRequest } from '../events/pull-request-events.ts';
import { announcePush } from '../events/announce-push.ts';
import { mergeMessage } from '../merge-queue/merge-message.ts';

export interface NewPullRequest {
  readonly title: string;
  /** Markdown. */
  readonly body?: string;
  /** The branch with the change. */
  readonly head: string;
  /** The default branch unless given. */
  readonly base?: string;
  /** Login. */
  readonly author: string;
  readonly draft?: boolean;
  /** Whether its head counts as one from a fork that was deleted. */
  readonly fromDeletedFork?: boolean;
}

export interface MergeInput {
  readonly kind: MergeKind;
  /** Login. */
  readonly by: string;
  /** Whether the branch with the change is deleted afterwards. */
  readonly deleteBranch?: boolean;
}

export async function openPullRequest(world: World, repository: Repository, input: NewPullRequest) {
  const base = input.base ?? repository.defaultBranch;
  const branches = await readBranches(directoryOf(world, repository));
  const [headSha, baseSha] = [branches.get(input.head), branches.get(base)];
  if (headSha === undefined || baseSha === undefined) {
    throw new ImpossibleError(
      `both branches must exist: ${input.head} and ${base}; there are ${[...branches.keys()].join(', ')}`,
    );
  }
  ensureAccount(world.store, input.author);
  const pr: PullRequest = {
    id: world.store.newId(),
    repositoryId: repository.id,
    number: repository.nextNumber++,
    title: input.title,
    body: input.body ?? '',
    author: input.author,
    draft: input.draft ?? false,
    state: 'open',
    headBranch: input.head,
    headSha,
    fromDeletedFork: input.fromDeletedFork ?? false,
    baseBranch: base,
    baseSha,
    createdAt: now(),
    updatedAt: now(),
    closedAt: null,
    merged: null,
  };
  world.store.state.pullRequests.push(pr);
  await emitPullRequest(world, repository, pr, 'opened', input.author);
  return pr;
}

/** Merges, moves the base branch and sends the webhooks that GitHub sends. Returns the new head of the base branch. */
export async function mergePullRequest(world: World, repository: Repository, pr: PullRequest, input: MergeInput) {
  return changeRepository(world, repository, async () => {
    const directory = directoryOf(world, repository);
    requireReady(world.store, repository, pr);
    if (rulesOf(world.store, repository, pr.baseBranch)?.mergeQueue) {
      throw new ImpossibleError(`${pr.baseBranch} takes changes through its merge queue only: enqueue #${pr.number}`);
    }
    const before = (await readBranches(directory)).get(pr.baseBranch);
    if (before === undefined) throw new ImpossibleError(`the branch ${pr.baseBranch} is gone`);
    const merge = { kind: input.kind, base: before, head: pr.headSha, by: signatureOf(world.store, input.by) };
    const merged = await mergeCommits(directory, { ...merge, message: mergeMessage(repository, pr, input.kind) });
    if (merged.kind === 'conflict') throw new ImpossibleError(`#${pr.number} has conflicts with ${pr.baseBranch}`);
    await moveBranch(directory, pr.baseBranch, before, merged.sha);
    await endPullRequest(world, repository, Object.assign(pr, { baseSha: before }), { sha: merged.sha, by: input.by });
    const moves: BranchMove[] = [{ branch: pr.baseBranch, before, after: merged.sha, mergedBy: 'person' }];
    if (input.deleteBranch === true) {
      await moveBranch(directory, pr.headBranch, pr.headSha, NO_COMMIT);
      moves.push({ branch: pr.headBranch, before: pr.headSha, after: NO_COMMIT });
    }
    await announcePush(world, repository, moves, input.by);
    return merged.sha;
  });
}

/** Merges the base into the branch with the change, as GitHub's *Update branch* does. Returns the new head. */
export async function updateBranch(world: World, repository: Repository, pr: PullRequest, by: string) {
  return changeRepository(world, repository, async () => {
    const directory = directoryOf(world, repository);
    const { headBranch, headSha, baseBranch, baseSha } = pr;
    if (pr.state !== 'open') throw new ImpossibleError(`#${pr.number} is ${pr.merged ? 'merged' : 'closed'} already`);
    const message = `Merge branch '${baseBranch}' into ${headBranch}`;
    const merge = { kind: 'merge', base: headSha, head: baseSha, by: signatureOf(world.store, by), message } as const;
    const merged = await mergeCommits(directory, merge);
    if (merged.kind === 'conflict') throw new ImpossibleError(`#${pr.number} has conflicts with ${baseBranch}`);
    await moveBranch(directory, headBranch, headSha, merged.sha);
    await announcePush(world, repository, [{ branch: headBranch, before: headSha, after: merged.sha }], by);
    return merged.sha;
  });
}

export async function closePullRequest(world: World, repository: Repository, pr: PullRequest, by: string) {
  await changeRepository(world, repository, async () => {
    if (pr.state === 'open') await endPullRequest(world, repository, pr, { sha: undefined, by });
  });
}

export async function reopenPullRequest(world: World, repository: Repository, pr: PullRequest, by: string) {
  await changeRepository(world, repository, async () => {
    if (pr.state === 'open' || pr.merged) throw new ImpossibleError(`#${pr.number} cannot be reopened`);
    Object.assign(pr, { state: 'open', closedAt: null });
    await emitPullRequest(world, repository, pr, 'reopened', by);
  });
}

export async function setDraft(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { draft, by }: { readonly draft: boolean; readonly by: string },
) {
  await changeRepository(world, repository, async () => {
    pr.draft = draft;
    await emitPullRequest(world, repository, pr, draft ? 'converted_to_draft' : 'ready_for_review', by);
  });
}

export async function changeBase(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { base, by }: { readonly base: string; readonly by: string },
) {
  await changeRepository(world, repository, async () => {
    const baseSha = (await readBranches(directoryOf(world, repository))).get(base);
    if (baseSha === undefined) throw new ImpossibleError(`there is no branch ${base}`);
    const from = { ref: { from: pr.baseBranch }, sha: { from: pr.baseSha } };
    Object.assign(pr, { baseBranch: base, baseSha });
    await emitPullRequest(world, repository, pr, 'edited', by, { changes: { base: from } });
  });
}
