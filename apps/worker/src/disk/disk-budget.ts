/** Keeps what this worker has on its disk only to be fast within its budget, and says so when it cannot. */
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

/** A look at what did not change takes a few files; in a minute a disk does not fill by more than a few repositories. */
const LOOKED_EVERY_MS = 60_000;

/** Until it is stopped; resolves when the look that is being made is over. */
export function keepDiskBudget(options: DiskBudgetOptions): () => Promise<void> {
  const { mirrors, providers, budgetBytes, onUse, logger, everyMs = LOOKED_EVERY_MS } = options;
  let looking: Promise<void> | undefined;
  let isOver = false;

  const look = async () => {
    try {
      const use = await mirrors.keepWithin(budgetBytes, await providers.kept());
      onUse(use);
      tell(use);
    } catch (error) {
      logger.warn({ err: error }, 'nobody can tell how much of the disk budget is used');
    }
  };
  const tell = (use: DiskUse) => {
    const { mirrorBytes, idleTreeBytes, besideBytes: providerBytes, removedBeside: removedProviders } = use;
    const { removedMirrors, removedTrees } = use;
    const numbers = { budgetBytes, mirrorBytes, idleTreeBytes, providerBytes };
    if (removedMirrors.length + removedTrees + removedProviders > 0) {
      logger.info(
        { ...numbers, removedMirrors, removedTrees, removedProviders },
        'the disk budget was exceeded: removed what nobody used',
      );
    }
    // Once, not with every look.
    const wasOver = isOver;
    isOver = mirrorBytes + idleTreeBytes + providerBytes > budgetBytes;
    if (isOver && !wasOver) {
      logger.warn(numbers, 'what is in use alone exceeds the disk budget, and stays: raise DISK_BUDGET');
    }
  };

  // A look at a large disk may take longer than the pause.
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
