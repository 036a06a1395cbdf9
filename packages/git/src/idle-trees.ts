/**
 * Idle working trees of this host: `<work dir>/idle/<host id>/<owner>/<name>/<tree id>`.
 *
 * What lies there belongs to nobody until somebody takes it; a tree is taken once.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from './deployment-folder.ts';
import { assertId, repositoryPath, type RepositoryName } from './names.ts';
import type { WorkingTree } from './working-tree.ts';

export interface IdleTrees {
  /** One that nobody has; give its id back with `done` when it is somewhere else or gone. */
  take(repository: RepositoryName): Promise<WorkingTree | undefined>;
  /** A place for a tree of this id, taken. */
  reserve(repository: RepositoryName, id: string): Promise<WorkingTree>;
  done(tree: WorkingTree): void;
  isFull(repository: RepositoryName): Promise<boolean>;
}

export function createIdleTrees(workDir: string, hostId: string, limitPerRepository: number): IdleTrees {
  assertId(hostId);
  const taken = new Set<string>();

  const folderOf = (repository: RepositoryName) => join(workDir, 'idle', hostId, repositoryPath(repository));
  const idsOf = async (repository: RepositoryName) => readdir(folderOf(repository)).catch((): string[] => []);

  return {
    async take(repository) {
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
    },
    isFull: async (repository) => (await idsOf(repository)).length >= limitPerRepository,
  };
}
