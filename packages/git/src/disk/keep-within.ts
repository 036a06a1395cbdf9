/**
 * The disk budget of a host: what it keeps only to be fast takes no more than that.
 *
 * - Mirrors and idle working trees count, and whatever else the caller keeps. Trees of deployments do not: they go when their
 *   deployment ends.
 * - What nobody used for longest goes first; of a repository its idle trees, then its mirror.
 * - Nothing that is in use goes, however little is left of the budget: no mirror while an operation reads or fetches, or
 *   while a deployment has a tree of it, and no tree that somebody takes.
 *
 * What did not change since the last look is not measured again.
 */
export interface DiskUse {
  /** Of what is left. */
  readonly mirrorBytes: number;
  readonly idleTreeBytes: number;
  /** Of what the caller keeps beside. */
  readonly besideBytes: number;
  /** `owner/name` of each mirror that went. */
  readonly removedMirrors: readonly string[];
  /** How many idle trees went. */
  readonly removedTrees: number;
  /** How many of those beside went. */
  readonly removedBeside: number;
}

/** Something else that counts within the same budget, and goes in the same order. */
export interface KeptBeside {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  /** False while it is in use. */
  readonly remove: () => Promise<boolean>;
}

/** What the host keeps of one repository. */
export interface KeptRepository {
  /** `owner/name`. */
  readonly path: string;
  readonly mirrorBytes: number;
  readonly idleTreeBytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  /** Answers the bytes that went, undefined where there is no tree that nobody takes. */
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
