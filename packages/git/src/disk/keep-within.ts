/**
 * The disk budget of a host: a limit for everything that it keeps only to be fast.
 *
 * - Mirrors, idle working trees and other things that the caller keeps count. Trees of deployments do not: they are removed
 *   when their deployment ends.
 * - The least recently used goes first; within a repository, idle trees go before the mirror.
 * - Nothing in use is removed, even beyond the budget: no mirror while an operation reads or fetches, or while a deployment
 *   has a tree of it, and no tree that is taken.
 *
 * A mirror or tree that has not changed since the last look is not measured again.
 */
export interface DiskUse {
  /** Bytes of the mirrors that are left. */
  readonly mirrorBytes: number;
  readonly idleTreeBytes: number;
  /** Bytes of the caller's other things that are left. */
  readonly besideBytes: number;
  /** `owner/name` of each removed mirror. */
  readonly removedMirrors: readonly string[];
  /** How many idle trees were removed. */
  readonly removedTrees: number;
  /** How many of the caller's other things were removed. */
  readonly removedBeside: number;
}

/** Another thing that the caller keeps: it counts towards the same budget and is removed in the same order. */
export interface KeptBeside {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  /** False while it is in use. */
  readonly remove: () => Promise<boolean>;
}

/** The mirror and the idle trees of one repository on this host. */
export interface KeptRepository {
  /** `owner/name`. */
  readonly path: string;
  readonly mirrorBytes: number;
  readonly idleTreeBytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  /** Returns the bytes that were freed; undefined when there is no tree that is free. */
  readonly removeIdleTree: () => Promise<number | undefined>;
  /** False while it is in use. */
  readonly removeMirror: () => Promise<boolean>;
}

export async function keepWithin(
  budgetBytes: number,
  kept: readonly KeptRepository[],
  beside: readonly KeptBeside[] = [],
): Promise<DiskUse> {
  const removedMirrors: string[] = [];
  let mirrorBytes = sum(kept.map((repository) => repository.mirrorBytes));
  let idleTreeBytes = sum(kept.map((repository) => repository.idleTreeBytes));
  let besideBytes = sum(beside.map(({ bytes }) => bytes));
  let [removedTrees, removedBeside] = [0, 0];
  const isOver = () => mirrorBytes + idleTreeBytes + besideBytes > budgetBytes;

  const giveRepository = async (repository: KeptRepository) => {
    while (isOver()) {
      const bytes = await repository.removeIdleTree();
      if (bytes === undefined) break;
      idleTreeBytes -= bytes;
      removedTrees += 1;
    }
    if (!isOver() || repository.mirrorBytes === 0 || !(await repository.removeMirror())) return;
    mirrorBytes -= repository.mirrorBytes;
    removedMirrors.push(repository.path);
  };
  const giveBeside = async ({ bytes, remove }: KeptBeside) => {
    if (!(await remove())) return;
    besideBytes -= bytes;
    removedBeside += 1;
  };

  const turns = [
    ...kept.map((repository) => ({ usedAt: repository.usedAt, give: () => giveRepository(repository) })),
    ...beside.map((one) => ({ usedAt: one.usedAt, give: () => giveBeside(one) })),
  ];
  for (const { give } of turns.sort((one, other) => one.usedAt - other.usedAt)) {
    if (!isOver()) break;
    await give();
  }
  return { mirrorBytes, idleTreeBytes, besideBytes, removedMirrors, removedTrees, removedBeside };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
