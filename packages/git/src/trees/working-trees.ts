/**
 * Working trees: one for each deployment, at `<work dir>/<deployment id>/repo`, of exactly its revision.
 *
 * Making a tree writes every file; moving an idle tree of the same repository to another revision writes only the files that
 * differ. So a released tree is cleaned and waits to be used again; a rename brings it to its next place. Everything that a
 * deployment left in it (changed, untracked and ignored files, locks) is gone before it is used again.
 */
import { randomUUID } from 'node:crypto';
import type { Repository } from '@nereid/domain/root';
import { removeTree } from '@nereid/subprocess';
import {
  claimFolder,
  deploymentFolder,
  ownerOf,
  removeFolder,
  type DeploymentFolder,
  type Owner,
} from './deployment-folder.ts';
import { GitCommandError, TreeInUseError, TreeUnusableError } from '../errors.ts';
import type { IdleTrees } from './idle-trees.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { TreeFile } from '../read/revision-tree.ts';
import { createPlainIndexes } from './plain-indexes.ts';
import { assertFits, weighRevision, type TreeLimit } from './tree-weight.ts';
import {
  addTree,
  clean,
  makeExact,
  moveTree,
  restoreLink,
  type WantedRevision,
  type WorkingTree,
} from './working-tree.ts';

export interface WorkingTreesOptions {
  readonly workDir: string;
  readonly hostId: string;
  readonly idleTrees: IdleTrees;
  readonly mirrorOf: (repository: Repository, authorization?: Authorization) => Mirror;
  readonly listFiles: (mirror: Mirror, sha: string, signal?: AbortSignal) => Promise<readonly TreeFile[]>;
}

export interface CheckOut {
  readonly repository: Repository;
  readonly sha: string;
  readonly deploymentId: string;
  /** The deployment in whose folder the tree is to be: a plan remembers the path where it was made. Default: its own. */
  readonly at?: string | undefined;
  readonly signal?: AbortSignal;
  /** For what has to be fetched; default: that of the mirrors. */
  readonly authorization?: Authorization;
  /** How much the tree may take on the disk. */
  readonly limit?: TreeLimit;
}

/** Returns the value of the Authorization header for one command, `Basic …`; undefined when none is needed. A secret. */
export type Authorization = () => Promise<string | undefined>;

export interface WorkingTrees {
  /**
   * Returns the absolute path of the tree. Submodules are empty folders in the tree, and files of Git LFS
   * are pointers (`absentContents`). Throws a
   * `TreeInUseError` while another deployment has its tree in the folder of this one. A tree that another one has in the folder
   * that this one borrows is taken from it: nothing of the former borrower may run. Throws a `RevisionTooLargeError` before
   * anything is written that takes more than the limit, or that no disk could hold.
   */
  checkOut(wanted: CheckOut): Promise<string>;
  release(deploymentId: string): Promise<Released>;
  remove(deploymentId: string): Promise<Released>;
  /** Whether this host made the deployment's tree. */
  isOwn(deploymentId: string): Promise<boolean>;
  /** The deployment that has its tree in the folder of this one, and releases it with its own. */
  borrowerOf(deploymentId: string): Promise<string | undefined>;
}

type Part = (place: DeploymentFolder, owner: Owner) => Promise<void>;

/** `not-ours`: another host has taken the deployment over, or another deployment has its folder; nothing was touched. */
export type Released = 'done' | 'absent' | 'not-ours';

export function createWorkingTrees(options: WorkingTreesOptions): WorkingTrees {
  const { workDir, hostId, idleTrees, mirrorOf, listFiles } = options;
  const indexes = createPlainIndexes();

  return {
    async checkOut({ repository, sha, deploymentId, at = deploymentId, signal, authorization, limit }) {
      const own = deploymentFolder(workDir, deploymentId);
      const place = deploymentFolder(workDir, at);
      const isElsewhere = at !== deploymentId;
      const mirror = mirrorOf(repository, authorization);
      const files = await listFiles(mirror, sha, signal);
      await assertNotLent(own, deploymentId);
      await clear(own, deploymentId);
      if (isElsewhere) await clear(place, at);
      return mirror.use([sha], signal, async () => {
        const weight = await weighRevision(mirror, { sha, files }, signal);
        if (limit !== undefined) assertFits(weight, limit);
        const submodules = files.filter(({ kind }) => kind === 'submodule').map(({ path }) => path);
        const revision = { sha, submodules };
        const reused = await reuse(mirror, repository, revision, signal);
        const tree = reused ?? (await add(mirror, repository, revision, signal));
        try {
          const owner = { hostId, repository, treeId: tree.id };
          // First, so that nobody borrows a folder without being found again.
          if (isElsewhere) await claimFolder(own, { ...owner, treeIn: at });
          await claimFolder(place, { ...owner, ...(isElsewhere && { usedBy: deploymentId }) });
          await moveTree(mirror, tree, place.tree);
        } finally {
          idleTrees.done(tree);
        }
        return place.tree;
      });
    },
    release: async (deploymentId) => leave(deploymentId, giveBack),
    remove: async (deploymentId) => leave(deploymentId, discard),
    isOwn: async (deploymentId) => (await ownerOf(deploymentFolder(workDir, deploymentId)))?.hostId === hostId,
    borrowerOf: async (deploymentId) => (await ownerOf(deploymentFolder(workDir, deploymentId)))?.usedBy,
  };

  /** Whichever host lent it: an apply may be at work there. */
  async function assertNotLent(place: DeploymentFolder, deploymentId: string): Promise<void> {
    const usedBy = (await ownerOf(place))?.usedBy;
    if (usedBy !== undefined) throw new TreeInUseError(deploymentId, usedBy);
  }

  /** An earlier attempt of ours, or a host that is gone, may have left a tree there. */
  async function clear(place: DeploymentFolder, deploymentId: string): Promise<void> {
    const owner = await ownerOf(place);
    if (owner?.hostId === hostId) await partWith(place, owner, deploymentId, giveBack);
    await discard(place);
  }

  async function leave(deploymentId: string, part: Part): Promise<Released> {
    const place = deploymentFolder(workDir, deploymentId);
    const owner = await ownerOf(place);
    if (owner !== undefined && (owner.hostId !== hostId || owner.usedBy !== undefined)) return 'not-ours';
    if (owner !== undefined) await partWith(place, owner, deploymentId, part);
    await removeFolder(place);
    return owner === undefined ? 'absent' : 'done';
  }

  /** The tree may be in a folder that the deployment has borrowed. Others may have borrowed that one since. */
  async function partWith(place: DeploymentFolder, owner: Owner, deploymentId: string, part: Part): Promise<void> {
    if (owner.treeIn === undefined) return part(place, owner);
    const borrowed = deploymentFolder(workDir, owner.treeIn);
    const its = await ownerOf(borrowed);
    if (its?.hostId !== hostId || its.usedBy !== deploymentId) return;
    await part(borrowed, its);
    await removeFolder(borrowed);
  }

  /** Takes the first idle tree that can be made exact; a tree that cannot is thrown away. */
  async function reuse(
    mirror: Mirror,
    repository: Repository,
    revision: WantedRevision,
    signal: AbortSignal | undefined,
  ): Promise<WorkingTree | undefined> {
    for (let tree = await idleTrees.acquire(repository); tree; tree = await idleTrees.acquire(repository)) {
      if (await succeeds(exactOrGone(mirror, tree, revision, signal))) return tree;
    }
    return undefined;
  }

  /** Makes the tree exact. After any failure, including a cancellation, the tree is removed and its place is free. */
  async function exactOrGone(
    mirror: Mirror,
    tree: WorkingTree,
    revision: WantedRevision,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      await restoreLink(mirror, tree);
      await indexes.assertPlain(mirror, tree, signal);
      await makeExact(mirror, tree, revision, signal);
      await indexes.remember(mirror, tree);
    } catch (error) {
      await throwAway(tree);
      throw error;
    }
  }

  async function throwAway(tree: WorkingTree): Promise<void> {
    try {
      await removeTree(tree.path);
    } finally {
      idleTrees.done(tree);
    }
  }

  async function add(
    mirror: Mirror,
    repository: Repository,
    revision: WantedRevision,
    signal: AbortSignal | undefined,
  ): Promise<WorkingTree> {
    const tree = await idleTrees.reserve(repository, randomUUID());
    try {
      await addTree(mirror, tree, revision.sha, signal);
    } catch (error) {
      await throwAway(tree);
      throw error;
    }
    await exactOrGone(mirror, tree, revision, signal);
    return tree;
  }

  /** Puts the tree back among the idle ones, or discards it if they are full or it cannot be cleaned. */
  async function giveBack(place: DeploymentFolder, { repository, treeId }: Owner): Promise<void> {
    if (await idleTrees.isFull(repository)) return discard(place);
    const mirror = mirrorOf(repository);
    const tree = { id: treeId, path: place.tree };
    const target = await idleTrees.reserve(repository, treeId);
    try {
      if (await succeeds(poolTree(mirror, tree, target.path))) return;
    } finally {
      idleTrees.done(target);
    }
    await discard(place);
  }

  async function poolTree(mirror: Mirror, tree: WorkingTree, target: string): Promise<void> {
    await restoreLink(mirror, tree);
    await clean(mirror, tree, undefined);
    await indexes.assertPlain(mirror, tree);
    await moveTree(mirror, tree, target);
  }

  async function discard(place: DeploymentFolder): Promise<void> {
    await removeTree(place.tree);
  }
}

/** False when git fails or the tree is unusable: the tree is of no more use. Other errors are thrown. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof GitCommandError || error instanceof TreeUnusableError) return false;
    throw error;
  }
}
