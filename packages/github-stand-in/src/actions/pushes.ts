import { ImpossibleError } from '../errors.ts';
import { NO_COMMIT, isBranchName, moveBranch, readBranches, resolveCommit } from '../git/bare-repository.ts';
import { writeCommit, type FileChanges } from '../git/write-commit.ts';
import { signatureOf } from '../state/accounts.ts';
import { isGroupBranch } from '../state/branch-rules.ts';
import { changeRepository } from '../merge-queue/change-repository.ts';
import type { Repository } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';
import { announcePush } from '../events/announce-push.ts';

export interface CommitInput {
  readonly branch: string;
  readonly files: FileChanges;
  readonly message: string;
  /** Login. */
  readonly author: string;
  /** Where the branch begins if it is new: a branch or a SHA. The default branch unless given. */
  readonly createFrom?: string;
}

/** Commits to a branch as a push of one commit, webhooks included. Returns the commit's SHA. */
export async function commitFiles(world: World, repository: Repository, input: CommitInput): Promise<string> {
  return changeRepository(world, repository, async () => {
    refuseGroupBranch(input.branch);
    const directory = directoryOf(world, repository);
    const before = (await readBranches(directory)).get(input.branch);
    if (before === undefined && !(await isBranchName(directory, input.branch))) {
      throw new ImpossibleError(`"${input.branch}" is not a valid branch name`);
    }
    const from = input.createFrom ?? repository.defaultBranch;
    const parent = before ?? (await resolveCommit(directory, from));
    if (parent === undefined) throw new ImpossibleError(`${input.branch} cannot begin at ${from}: no such commit`);
    const author = signatureOf(world.store, input.author);
    const { branch, files, message } = input;
    const after = await writeCommit(directory, { ref: `refs/heads/${branch}`, parent, files, message, author });
    await announcePush(world, repository, [{ branch, before: before ?? NO_COMMIT, after }], input.author);
    return after;
  });
}

/** Moves a branch to any commit, whether or not that commit follows the current one. */
export async function forcePush(world: World, repository: Repository, branch: string, to: string, by: string) {
  return changeRepository(world, repository, async () => {
    refuseGroupBranch(branch);
    const directory = directoryOf(world, repository);
    const before = (await readBranches(directory)).get(branch) ?? NO_COMMIT;
    const after = await resolveCommit(directory, to);
    if (after === undefined) throw new ImpossibleError(`${branch} cannot be moved to ${to}: no such commit`);
    await moveBranch(directory, branch, before, after);
    await announcePush(world, repository, [{ branch, before, after }], by);
    return after;
  });
}

function refuseGroupBranch(branch: string): void {
  if (isGroupBranch(branch)) throw new ImpossibleError(`only the merge queue writes to ${branch}`);
}
