import type { LaneName } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../../../platform/context.ts';

export type VisitContext = Pick<WorkerContext, 'laneRecords' | 'logger'>;

export interface WantedLanes {
  /** Of those that storage lists. */
  readonly isWanted: (lane: LaneName) => boolean;
  /** More are missed. */
  readonly limit: number;
  /** For the log: whose lanes these are. */
  readonly of: string;
}

/** Five hundred lanes take a second where storage and Temporal take some 50 ms each. */
const AT_ONCE = 50;

/** A person waits for the answer. */
export const VISIT_MS = 5_000;

/**
 * Visits each lane on its own: one that fails holds up no other, and those that come too late are missed. Returns whether all were
 * visited. Never throws.
 */
export async function visitLanes(
  { laneRecords, logger }: VisitContext,
  { isWanted, limit, of }: WantedLanes,
  visit: (lane: LaneName) => Promise<void>,
): Promise<boolean> {
  let isComplete = true;
  // One that fails is mostly one of many, which fail for the same reason.
  const miss = (err: unknown) => {
    if (!isComplete) return;
    isComplete = false;
    logger.warn({ err, of }, 'not all lanes could be looked at');
  };
  async function* list(): AsyncIterable<LaneName> {
    let count = 0;
    for await (const lane of laneRecords.list()) {
      if (!isWanted(lane)) continue;
      count += 1;
      if (count > limit) {
        miss(new Error(`expected at most ${limit} lanes, found more`));
        return;
      }
      yield lane;
    }
  }
  const options = { concurrency: AT_ONCE, signal: AbortSignal.timeout(VISIT_MS) };
  try {
    await pMap(list(), (lane) => visit(lane).catch(miss), options);
  } catch (error) {
    miss(error);
  }
  return isComplete;
}
