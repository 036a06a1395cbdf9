import { countPacks } from './mirror-folder.ts';
import type { Serial } from './serial.ts';

/** git's own threshold (`gc.autoPackLimit`). */
const PACK_LIMIT = 50;

interface TidyingOptions {
  readonly dir: string;
  readonly exclusively: Serial;
  readonly tidy: () => Promise<unknown>;
  /** The mirror may have another size. */
  readonly onTidied: () => void;
}

/** Tidies a mirror with many packs, in the background: only its next change waits. */
export interface Tidying {
  /** A fetch begins, which may leave packs. */
  expectPacks(): void;
  begin(): void;
}

export function createTidying({ dir, exclusively, tidy, onTidied }: TidyingOptions): Tidying {
  let hasNewPacks = false;
  let isTidying = false;
  let packLimit = PACK_LIMIT;

  async function tidyIfNeeded(): Promise<void> {
    if ((await countPacks(dir)) <= packLimit) return;
    try {
      await tidy();
    } finally {
      onTidied();
      // Allow as many new packs again, even if that did not help: it would not help after the next fetch either.
      packLimit = PACK_LIMIT + (await countPacks(dir));
    }
  }

  return {
    expectPacks() {
      hasNewPacks = true;
    },
    begin() {
      if (!hasNewPacks || isTidying) return;
      hasNewPacks = false;
      isTidying = true;
      // An untidy mirror is only slower, and a corrupt one is replaced when it is read.
      const ignore = () => undefined;
      void exclusively(tidyIfNeeded)
        .catch(ignore)
        .finally(() => {
          isTidying = false;
        });
    },
  };
}
