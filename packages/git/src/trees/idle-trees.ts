/**
 * Idle working trees of this host: `<work dir>/idle/<host id>/<owner>/<name>/<tree id>`.
 *
 * A tree there belongs to nobody until it is taken; only one caller can take it.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@nereid/subprocess';
import { IDLE, makePrivate } from './deployment-folder.ts';
import { folderSize } from '../folder-size.ts';
import { assertId, repositoryPath, type RepositoryName } from '../names.ts';
import type { WorkingTree } from './working-tree.ts';

export interface IdleTrees {
  /** Takes a free tree. Call `done` when the tree has been moved away or removed. */
  acquire(repository: RepositoryName): Promise<WorkingTree | undefined>;
  /** Makes a place for a tree with this id, and takes it. */
  reserve(repository: RepositoryName, id: string): Promise<WorkingTree>;
  done(tree: WorkingTree): void;
  isFull(repository: RepositoryName): Promise<boolean>;
  /** `owner/name` of each repository that has trees here. */
  repositories(): Promise<readonly string[]>;
  /** The bytes of all free trees. */
  size(repository: RepositoryName): Promise<number>;
  /** Removes a free tree and returns its bytes; undefined when there is none. */
  remove(repository: RepositoryName): Promise<number | undefined>;
}

export function createIdleTrees(workDir: string, hostId: string, limitPerRepository: number): IdleTrees {
  assertId(hostId);
  const taken = new Set<string>();

  const folderOf = (repository: RepositoryName) => join(workDir, IDLE, hostId, repositoryPath(repository));
  /** By id; nothing changes a tree while it is idle. */
  const measured = new Map<string, number>();
  const idsOf = async (repository: RepositoryName) => namesIn(folderOf(repository));

  const sizeOf = async ({ id, path }: WorkingTree): Promise<number> => {
    const bytes = measured.get(id) ?? (await folderSize(path));
    // A tree that was taken meanwhile is no longer idle.
    if (!taken.has(id)) measured.set(id, bytes);
    return bytes;
  };

  const idleTrees: IdleTrees = {
    async acquire(repository) {
      const ids = await idsOf(repository);
      const id = ids.find((candidate) => !taken.has(candidate));
      if (id === undefined) return undefined;
      taken.add(id);
      return { id, path: join(folderOf(repository), id) };
    },
    async reserve(repository, id) {
      await makePrivate(folderOf(repository));
      taken.add(id);
      return { id, path: join(folderOf(repository), id) };
    },
    done(tree) {
      taken.delete(tree.id);
      measured.delete(tree.id);
    },
    isFull: async (repository) => (await idsOf(repository)).length >= limitPerRepository,
    async repositories() {
      const owners = await namesIn(join(workDir, IDLE, hostId));
      const paths = owners.map(async (owner) =>
        (await namesIn(join(workDir, IDLE, hostId, owner))).map((name) => `${owner}/${name}`),
      );
      return (await Promise.all(paths)).flat();
    },
    async size(repository) {
      let bytes = 0;
      for (const id of await idsOf(repository)) {
        if (!taken.has(id)) bytes += await sizeOf({ id, path: join(folderOf(repository), id) });
      }
      return bytes;
    },
    async remove(repository) {
      const tree = await idleTrees.acquire(repository);
      if (tree === undefined) return undefined;
      try {
        const bytes = await sizeOf(tree);
        await removeTree(tree.path);
        return bytes;
      } finally {
        idleTrees.done(tree);
      }
    },
  };
  return idleTrees;
}

/** A missing folder counts as empty. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
