/**
 * The disk budget of a host: what it keeps only to be fast takes no more than that.
 *
 * - Mirrors and idle working trees count. Trees of deployments do not: they go when their deployment ends.
 * - The repository that nobody used for longest gives first: its idle trees, then its mirror.
 * - Nothing that is in use goes, however little is left of the budget: no mirror while an operation reads or fetches, or
 *   while a deployment has a tree of it, and no tree that somebody takes.
 *
 * What did not change since the last look is not measured again.
 */
export interface DiskUse {
  /** Of what is left. */
  readonly mirrorBytes: number;
  readonly idleTreeBytes: number;
  /** `owner/name` of each mirror that went. */
  readonly removedMirrors: readonly string[];
  /** How many idle trees went. */
  readonly removedTrees: number;
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

export async function keepWithin(budgetBytes: number, kept: readonly KeptRepository[]): Promise<DiskUse> {
  const removedMirrors: string[] = [];
  let mirrorBytes = sum(kept.map((repository) => repository.mirrorBytes));
  let idleTreeBytes = sum(kept.map((repository) => repository.idleTreeBytes));
  let removedTrees = 0;
  const isOver = () => mirrorBytes + idleTreeBytes > budgetBytes;

  for (const repository of kept.toSorted((one, other) => one.usedAt - other.usedAt)) {
    while (isOver()) {
      const bytes = await repository.removeIdleTree();
      if (bytes === undefined) break;
      idleTreeBytes -= bytes;
      removedTrees += 1;
    }
    if (!isOver()) break;
    if (repository.mirrorBytes === 0 || !(await repository.removeMirror())) continue;
    mirrorBytes -= repository.mirrorBytes;
    removedMirrors.push(repository.path);
  }
  return { mirrorBytes, idleTreeBytes, removedMirrors, removedTrees };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
