/**
 * Writes the check runs of a deployment one after the other, because a lane may hand its deployment over while its first
 * write is under way. Check runs that were created here a moment ago need not be looked for on the forge.
 */
import { LRUCache } from 'lru-cache';
import type { CheckRunRef, Deployment } from '@nereid/domain/deployment';

type Write = (known: KnownCheckRuns, creationUncertain: boolean) => Promise<readonly CheckRunRef[]>;

export interface KnownCheckRuns {
  readonly refs: readonly CheckRunRef[];
  /** Whether this process knows all of them as those of the deployment, whatever came through Temporal. */
  readonly areOurs: boolean;
}

export interface CheckRunWrites {
  /** Writes once no other write for this deployment is under way in this process. */
  inTurn(
    deployment: Pick<Deployment, 'id' | 'checkRuns'>,
    creationUncertain: boolean,
    write: Write,
  ): Promise<readonly CheckRunRef[]>;
}

/** A deployment is handed over within seconds; after a minute another worker may have written it. */
const REMEMBERED_MS = 60_000;

/** Enough for a merge that modifies every root of a large repository; each entry takes some hundred bytes. */
const REMEMBERED = 5_000;

/** `clock` is for tests, in milliseconds. */
export function createCheckRunWrites(clock: { readonly now: () => number } = performance): CheckRunWrites {
  const created = new LRUCache<string, readonly CheckRunRef[]>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: clock,
  });
  // What was written as the deployment's stays the deployment's, whoever has written since.
  const own = new LRUCache<string, ReadonlySet<number>>({ max: REMEMBERED });
  const writing = new Map<string, Promise<unknown>>();

  return {
    async inTurn({ id, checkRuns }, creationUncertain, write) {
      const before = writing.get(id);
      const mine = (async () => {
        await before;
        const remembered = checkRuns.length === 0 && creationUncertain ? created.get(id) : undefined;
        const refs = remembered ?? checkRuns;
        const areOurs = refs.every((ref) => own.get(id)?.has(ref.id) === true);
        return await write({ refs, areOurs }, creationUncertain && remembered === undefined);
      })();
      const settled = mine.then(
        (written) => {
          created.set(id, written);
          own.set(id, new Set(written.map((ref) => ref.id)));
        },
        () => created.delete(id),
      );
      writing.set(id, settled);
      try {
        return await mine;
      } finally {
        await settled;
        if (writing.get(id) === settled) writing.delete(id);
      }
    },
  };
}
