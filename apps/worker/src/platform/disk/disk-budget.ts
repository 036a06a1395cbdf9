/** Keeps mirrors, idle working trees and shared providers within the disk budget, and logs when it cannot. */
import type { DiskUse, Mirrors } from '@nereid/git';
import type { ProviderCache } from '@nereid/terraform';
import type { Logger } from 'pino';

export interface DiskBudgetOptions {
  readonly mirrors: Pick<Mirrors, 'keepWithin'>;
  readonly providers: Pick<ProviderCache, 'kept'>;
  readonly budgetBytes: number;
  readonly onUse: (use: DiskUse) => void;
  readonly logger: Logger;
  /** For tests. */
  readonly everyMs?: number;
}

/** Checking unchanged folders reads a few files, and in a minute a disk gains no more than a few repositories. */
const LOOKED_EVERY_MS = 60_000;

/** Runs until the returned function is called, which resolves when the current check is over. */
export function keepDiskBudget(options: DiskBudgetOptions): () => Promise<void> {
  const { mirrors, providers, budgetBytes, onUse, logger, everyMs = LOOKED_EVERY_MS } = options;
  let looking: Promise<void> | undefined;
  let isOver = false;

  const look = async () => {
    try {
      const use = await mirrors.keepWithin(budgetBytes, await providers.kept());
      onUse(use);
      report(use);
    } catch (error) {
      logger.warn({ err: error }, 'the use of the disk budget could not be measured');
    }
  };
  const report = (use: DiskUse) => {
    const { mirrorBytes, idleTreeBytes, besideBytes: providerBytes, removedBeside: removedProviders } = use;
    const { removedMirrors, removedTrees } = use;
    const numbers = { budgetBytes, mirrorBytes, idleTreeBytes, providerBytes };
    if (removedMirrors.length + removedTrees + removedProviders > 0) {
      logger.info(
        { ...numbers, removedMirrors, removedTrees, removedProviders },
        'the disk budget was exceeded: removed unused files',
      );
    }
    // Warns once, not with every check.
    const wasOver = isOver;
    isOver = mirrorBytes + idleTreeBytes + providerBytes > budgetBytes;
    if (isOver && !wasOver) {
      logger.warn(numbers, 'files in use exceed the disk budget and cannot be removed: raise DISK_BUDGET');
    }
  };

  // Checking a large disk may take longer than the interval.
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
