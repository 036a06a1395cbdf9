/** Measures the mirror and the idle trees of each repository on a host; only those that changed since the last look. */
import type { IdleTrees } from '../trees/idle-trees.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { KeptRepository } from './keep-within.ts';
import { mirrorSize, storedMirrors, storedUse, storeUse } from '../mirror/stored-mirrors.ts';

export interface KeptRepositoriesOptions {
  readonly mirrorsDir: string;
  readonly idleTrees: IdleTrees;
  /** By `owner/name`. */
  readonly mirrorOf: (path: string) => Mirror;
}

export interface KeptRepositories {
  look(): Promise<readonly KeptRepository[]>;
}

interface Measured {
  readonly changes: number;
  readonly bytes: number;
}

export function createKeptRepositories(options: KeptRepositoriesOptions): KeptRepositories {
  const { mirrorsDir, idleTrees, mirrorOf } = options;
  const measured = new Map<string, Measured>();

  return {
    async look() {
      const kept: KeptRepository[] = [];
      for (const path of new Set([...(await storedMirrors(mirrorsDir)), ...(await idleTrees.repositories())])) {
        kept.push(await lookAt(path));
      }
      return kept;
    },
  };

  async function lookAt(path: string): Promise<KeptRepository> {
    const mirror = mirrorOf(path);
    const [owner = '', name = ''] = path.split('/');
    const { dir } = mirror.folder;
    const { usedAt } = mirror.usage();
    // Stored, so that the next process knows it too.
    if (usedAt !== undefined) await storeUse(dir, usedAt);
    return {
      path,
      mirrorBytes: await sizeOf(path, mirror),
      idleTreeBytes: await idleTrees.size({ owner, name }),
      usedAt: usedAt ?? (await storedUse(dir)),
      removeIdleTree: () => idleTrees.remove({ owner, name }),
      removeMirror: async () => {
        const isRemoved = await mirror.remove();
        if (isRemoved) measured.delete(path);
        return isRemoved;
      },
    };
  }

  async function sizeOf(path: string, mirror: Mirror): Promise<number> {
    const { changes } = mirror.usage();
    const before = measured.get(path);
    if (before?.changes === changes) return before.bytes;
    const bytes = await mirrorSize(mirror.folder.dir);
    measured.set(path, { changes, bytes });
    return bytes;
  }
}
