/** Pull requests of the time before the App was installed: there they are, and nobody was told of them. */
import { ImpossibleError } from '../errors.ts';
import { resolveCommit } from '../git/bare-repository.ts';
import { writeCommit, type FileChanges } from '../git/write-commit.ts';
import { ensureAccount, signatureOf } from '../state/accounts.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { timestamp } from '../state/store.ts';
import { directoryOf, type World } from '../world.ts';

/** A pull request of one commit. One that was merged is on the default branch as it was, and its branch is gone. */
export interface PastChange {
  readonly title: string;
  readonly body?: string;
  readonly author: string;
  readonly branch: string;
  readonly files: FileChanges;
  /** ISO 8601. */
  readonly openedAt: string;
  /** Absent while it is open. */
  readonly merged?: { readonly by: string; readonly at: string };
}

/** Each begins at the default branch as the ones before it have left it. */
export async function addPastChanges(
  world: World,
  repository: Repository,
  changes: readonly PastChange[],
): Promise<void> {
  for (const change of changes) await addPastChange(world, repository, change);
}

async function addPastChange(world: World, repository: Repository, change: PastChange): Promise<void> {
  const { title, body = '', author, branch, files, openedAt, merged } = change;
  const { defaultBranch } = repository;
  const directory = directoryOf(world, repository);
  const baseSha = await resolveCommit(directory, defaultBranch);
  if (baseSha === undefined) throw new ImpossibleError(`${defaultBranch} has no commit to begin at`);
  for (const login of [author, ...(merged ? [merged.by] : [])]) ensureAccount(world.store, login);
  const number = repository.nextNumber++;
  const headSha = await writeCommit(directory, {
    ref: `refs/heads/${merged ? defaultBranch : branch}`,
    parent: baseSha,
    files,
    message: merged ? `${title} (#${number})` : title,
    author: signatureOf(world.store, author),
    at: openedAt,
  });
  const closedAt = merged === undefined ? null : timestamp(Date.parse(merged.at));
  const pr: PullRequest = {
    id: world.store.newId(),
    repositoryId: repository.id,
    ...{ number, title, body, author, baseBranch: defaultBranch, baseSha, headBranch: branch, headSha },
    draft: false,
    state: merged ? 'closed' : 'open',
    fromDeletedFork: false,
    createdAt: timestamp(Date.parse(openedAt)),
    updatedAt: closedAt ?? timestamp(Date.parse(openedAt)),
    closedAt,
    merged: merged && closedAt !== null ? { sha: headSha, by: merged.by, at: closedAt } : null,
  };
  world.store.state.pullRequests.push(pr);
}
