/** What the console reads of the past, day by day. */
import type { AuditTrail, DayEntry, EndedDeployments } from '@nereid/storage';
import type { TrailEvent } from '@nereid/contracts';
import { sizeOfSums, sumsOfDay, type DaySums } from '../insights/day-sums.ts';
import { endedOf, type Ended } from '../rollouts/find-rollouts.ts';
import { createDayCache, type ReadDay } from './day-cache.ts';

export interface TrailReaders {
  readonly readActivity: ReadDay<readonly DayEntry<TrailEvent>[]>;
  readonly readEnded: ReadDay<readonly Ended[]>;
  readonly readSums: ReadDay<DaySums>;
}

/** A few tens of megabytes: an event takes a kilobyte, what a root adds up to in a day a quarter of that. */
const EVENTS_KEPT = 30_000;
const SUMS_KEPT = 200_000;

/** Half a kilobyte each. */
const ENDED_KEPT = 50_000;

export function createTrailReaders(
  audit: Pick<AuditTrail, 'read'>,
  ended: Pick<EndedDeployments, 'read'>,
): TrailReaders {
  const sizeOf = ({ length }: { readonly length: number }) => length;
  return {
    readActivity: createDayCache({ read: (day) => audit.read(day), sizeOf, sizeLimit: EVENTS_KEPT }),
    readEnded: createDayCache({
      read: async (day) => (await ended.read(day)).map(({ entry }) => endedOf(entry)),
      sizeOf,
      sizeLimit: ENDED_KEPT,
    }),
    readSums: createDayCache({
      read: async (day) => sumsOfDay((await ended.read(day)).map(({ entry }) => entry)),
      sizeOf: sizeOfSums,
      sizeLimit: SUMS_KEPT,
    }),
  };
}
