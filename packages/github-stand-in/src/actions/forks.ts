/** Pull requests from forks. As on GitHub, their commits can be fetched here, and no webhook tells of pushes to the fork. */
import { ImpossibleError } from '../errors.ts';
import { readBranches } from '../git/bare-repository.ts';
import { writeCommit, type FileChanges } from '../git/write-commit.ts';
import { changeRepository } from '../merge-queue/change-repository.ts';
import { ensureAccount, signatureOf } from '../state/accounts.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { directoryOf, type World } from '../world.ts';
import { emitPullRequest } from '../events/pull-request-events.ts';

export interface NewForkPullRequest {
  readonly title: string;
  /** The branch of the fork. This repository may have one of the same name. */
  readonly head: string;
  readonly files: FileChanges;
  /** Login; the owner of the fork. */
  readonly author: string;
  readonly draft?: boolean;
}

/** Another commit on the head, or a forced push to any commit. */
export type ForkPush = { readonly by: string } & ({ readonly files: FileChanges } | { readonly to: string });

/** Into the default branch. */
export async function openPullRequestFromFork(world: World, repository: Repository, input: NewForkPullRequest) {
  return changeRepository(world, repository, async () => {
    const { title, head, files, author, draft = false } = input;
    const { defaultBranch: base } = repository;
    const baseSha = (await readBranches(directoryOf(world, repository))).get(base);
    if (baseSha === undefined) throw new ImpossibleError(`there is no branch ${base}`);
    ensureAccount(world.store, author);
    const number = repository.nextNumber++;
    const headSha = await commit(world, repository, { number, parent: baseSha, files, by: author });
    const pr: PullRequest = {
      ...{ id: world.store.newId(), repositoryId: repository.id, number, title, body: '', author, draft },
      ...{ state: 'open', headBranch: head, headSha, fromDeletedFork: false, baseBranch: base, baseSha },
      ...{ createdAt: now(), updatedAt: now(), closedAt: null, merged: null },
      fork: { owner: author, repositoryId: world.store.newId() },
    };
    world.store.state.pullRequests.push(pr);
    await emitPullRequest(world, repository, pr, 'opened', author);
    return pr;
  });
}

export async function pushToFork(world: World, repository: Repository, pr: PullRequest, push: ForkPush) {
  return changeRepository(world, repository, async () => {
    const { number, headSha: before } = pr;
    const after =
      'to' in push
        ? push.to
        : await commit(world, repository, { number, parent: before, files: push.files, by: push.by });
    pr.headSha = after;
    await emitPullRequest(world, repository, pr, 'synchronize', push.by, { before, after });
    return after;
  });
}

export function deleteFork(world: World, pr: PullRequest): void {
  pr.fromDeletedFork = true;
  world.store.changed();
}

interface ForkCommit {
  readonly number: number;
  readonly parent: string;
  readonly files: FileChanges;
  readonly by: string;
}

function commit(world: World, repository: Repository, { number, parent, files, by }: ForkCommit): Promise<string> {
  const ref = `refs/pull/${number}/head`;
  const commit = { ref, parent, files, message: 'a change in a fork', author: signatureOf(world.store, by) };
  return writeCommit(directoryOf(world, repository), commit);
}
