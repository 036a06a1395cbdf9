/** Operations on one working tree of a mirror: adding it, making it exactly a revision, checking it, moving it. */
import { chmod, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@nereid/subprocess';
import { TreeUnusableError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';

export interface WorkingTree {
  /** The name of its folder in the mirror's `worktrees`. */
  readonly id: string;
  readonly path: string;
}

/** Registers a tree without files. Git names it after the last part of its path, so that must be its id. */
export async function addTree(
  mirror: Mirror,
  tree: WorkingTree,
  sha: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await mirror.exclusively(async () => {
    // Forgets deleted trees, so that they do not add up.
    await mirror.run({ verb: 'worktree', args: ['prune', '--expire=now'], signal });
    await mirror.run({ verb: 'worktree', args: ['add', '--detach', '--no-checkout', tree.path, sha], signal });
  });
}

/** The content that a tree is to hold. */
export interface WantedRevision {
  readonly sha: string;
  /** The paths of its submodules. */
  readonly submodules: readonly string[];
}

/** After this the tree, whose index is plain, holds the files of the revision and nothing else, whatever was in it. */
export async function makeExact(
  mirror: Mirror,
  tree: WorkingTree,
  { sha, submodules }: WantedRevision,
  signal: AbortSignal | undefined,
): Promise<void> {
  await mirror.run({ verb: 'reset', args: ['--hard', '--quiet', sha], cwd: tree.path, signal });
  await clean(mirror, tree, signal);
  // To git, what is in the folder of a submodule is the business of that repository. The way to it is the revision's by now.
  for (const path of submodules) {
    await removeTree(join(tree.path, path));
    await mkdir(join(tree.path, path));
  }
}

/**
 * Removes untracked and ignored files, and repositories inside the tree. Throws a `TreeUnusableError` where git warns: it takes a folder
 * that it may not list for an empty one.
 */
export async function clean(mirror: Mirror, tree: WorkingTree, signal: AbortSignal | undefined): Promise<void> {
  const { stderr } = await mirror.run({ verb: 'clean', args: ['-ffdx', '--quiet'], cwd: tree.path, signal });
  if (stderr !== '') throw new TreeUnusableError(tree.path, `what git does not clean (${stderr.slice(0, 200)})`);
}

const OWNERS_RIGHTS = 0o700;

/**
 * Does the same as `git worktree move`, without a process: renames the tree and tells the mirror its new place. No other
 * operation can take the tree for deleted in between.
 */
export async function moveTree(mirror: Mirror, tree: WorkingTree, target: string): Promise<void> {
  await mirror.exclusively(async () => {
    await rename(tree.path, target);
    await writeFile(join(mirror.folder.dir, 'worktrees', tree.id, 'gitdir'), `${join(target, '.git')}\n`);
  });
}

/**
 * Restores the link to the mirror and removes locks. A program that ran in the tree may have closed it, replaced the link, or the
 * tree itself by a link to another place, or may have been killed while it held a lock.
 */
export async function restoreLink(mirror: Mirror, { id, path }: WorkingTree): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new TreeUnusableError(path, found ? 'something else' : 'nothing');
  await chmod(path, OWNERS_RIGHTS);
  const registered = join(mirror.folder.dir, 'worktrees', id);
  const link = join(path, '.git');
  const leftOver = [link, join(registered, 'index.lock'), join(registered, 'HEAD.lock')];
  // Without its link, another operation would take the tree for deleted.
  await mirror.exclusively(async () => {
    await Promise.all(leftOver.map(async (file) => rm(file, { recursive: true, force: true })));
    await restoreMirrorOf(mirror, registered);
    await writeFile(link, `gitdir: ${registered}\n`);
  });
}

/** Without a sandbox, a program can have made the tree one of another repository, whose settings name programs. */
async function restoreMirrorOf(mirror: Mirror, registered: string): Promise<void> {
  const folder = await lstat(registered).catch(() => undefined);
  if (!folder?.isDirectory()) throw new TreeUnusableError(registered, folder ? 'something else' : 'nothing');
  const file = join(registered, 'commondir');
  await rm(file, { recursive: true, force: true });
  await writeFile(file, `${mirror.folder.dir}\n`);
}
