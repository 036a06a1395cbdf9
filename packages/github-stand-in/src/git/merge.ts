import { readCommit, readCommits, type DatedSignature } from './history.ts';
import { gitText, runGit } from './run-git.ts';
import type { Signature } from './write-commit.ts';

export type MergeKind = 'merge' | 'squash' | 'rebase';

export interface Merge {
  readonly kind: MergeKind;
  readonly base: string;
  readonly head: string;
  readonly message: string;
  /** The person who merges: the committer of the new commits, and their author unless it is a rebase. */
  readonly by: Signature;
}

type Merged = { readonly kind: 'merged'; readonly sha: string } | { readonly kind: 'conflict' };

/** Writes the commit (or commits) that bring `head` onto `base`, without moving a branch and without a working tree. */
export async function mergeCommits(directory: string, merge: Merge): Promise<Merged> {
  if (merge.kind === 'rebase') return rebase(directory, merge);
  const merged = await mergeTrees(directory, merge.base, merge.head);
  if (merged.kind === 'conflict') return merged;
  const parents = merge.kind === 'merge' ? [merge.base, merge.head] : [merge.base];
  const by = { ...merge.by, date: 'now' };
  return { kind: 'merged', sha: await commitTree(directory, merged.tree, parents, merge.message, by, by) };
}

export async function isMergeable(directory: string, base: string, head: string): Promise<boolean> {
  return (await mergeTrees(directory, base, head)).kind === 'clean';
}

type MergedTree = { readonly kind: 'clean'; readonly tree: string } | { readonly kind: 'conflict' };

async function mergeTrees(directory: string, ours: string, theirs: string): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '--allow-unrelated-histories', ours, theirs];
  const { exitCode, stdout } = await runGit(directory, args, { accept: [1] });
  return exitCode === 0 ? { kind: 'clean', tree: stdout.toString().trim() } : { kind: 'conflict' };
}

async function rebase(directory: string, { base, head, by }: Merge): Promise<Merged> {
  const commits = await readCommits(directory, ['--no-merges', '--reverse', `${base}..${head}`]);
  let tip = base;
  for (const commit of commits) {
    const picked = await pickTree(directory, commit.sha, tip);
    if (picked.kind === 'conflict') return picked;
    tip = await commitTree(directory, picked.tree, [tip], commit.message, commit.author, { ...by, date: 'now' });
  }
  return { kind: 'merged', sha: tip };
}

/**
 * The tree of `tip` with the changes of `sha`.
 *
 * `merge-tree` finds the merge base by itself, so the three trees are dressed as commits whose common ancestor is the
 * parent of the picked one (its option to name the base came only with git 2.40).
 */
async function pickTree(directory: string, sha: string, tip: string): Promise<MergedTree> {
  const [parent] = (await readCommit(directory, sha)).parents;
  if (parent === undefined) return mergeTrees(directory, tip, sha);
  const nobody = { name: 'rebase', email: 'rebase@localhost', date: '2000-01-01T00:00:00Z' };
  const dress = async (revision: string, parents: readonly string[]) =>
    commitTree(
      directory,
      await gitText(directory, ['rev-parse', `${revision}^{tree}`]),
      parents,
      'pick',
      nobody,
      nobody,
    );
  const ancestor = await dress(parent, []);
  return mergeTrees(directory, await dress(tip, [ancestor]), await dress(sha, [ancestor]));
}

async function commitTree(
  directory: string,
  tree: string,
  parents: readonly string[],
  message: string,
  author: DatedSignature,
  committer: DatedSignature,
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
  const environment = { ...signed('AUTHOR', author), ...signed('COMMITTER', committer) };
  return gitText(directory, args, { input: message, environment });
}

function signed(role: 'AUTHOR' | 'COMMITTER', { name, email, date }: DatedSignature): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: name,
    [`GIT_${role}_EMAIL`]: email,
    ...(date === 'now' ? {} : { [`GIT_${role}_DATE`]: date }),
  };
}
