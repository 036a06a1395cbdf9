/** What the console reads of the past, day by day. */
import type { EndedDeployment } from '@nereid/domain/deployment';
import type { TrailEvent } from '@nereid/domain/trail';
import type { AuditTrail, DayPart, DayPlace, EndedDeployments } from '@nereid/storage';
import { createDayCache, type ReadDay, type ReadParts } from './day-cache.ts';
import { sizeOfSums, sumsOfDay, type DaySums } from './day-sums.ts';
import { endedOf, type Ended } from './ended.ts';

export interface TrailReaders {
  readonly readActivity: ReadParts<DayPart<TrailEvent>>;
  readonly readEnded: ReadDay<readonly Ended[]>;
  readonly readSums: ReadDay<DaySums>;
}

/** A few tens of megabytes: an event takes a kilobyte, what a root adds up to in a day a quarter of that. */
const EVENTS_KEPT = 30_000;
const SUMS_KEPT = 200_000;

/** Half a kilobyte each. */
const ENDED_KEPT = 50_000;

export function createTrailReaders(
  audit: Pick<AuditTrail, 'readPart'>,
  ended: Pick<EndedDeployments, 'readPart'>,
): TrailReaders {
  const sizeOf = ({ length }: { readonly length: number }) => length;

  /** Nobody but a lane ends a deployment, so a whole day of them, shortened, fits in memory. */
  async function allOf<T>(day: string, of: (entry: EndedDeployment) => T): Promise<readonly T[]> {
    const all: T[] = [];
    for (let before: DayPlace | undefined; ;) {
      const part = await ended.readPart(day, before);
      all.push(...part.entries.map(({ entry }) => of(entry)));
      if (part.next === undefined) return all;
      before = part.next;
    }
  }

  const endedOn = createDayCache({ read: (day) => allOf(day, endedOf), sizeOf, sizeLimit: ENDED_KEPT });
  const sumsOf = createDayCache({
    read: async (day) => sumsOfDay(await allOf(day, (entry) => entry)),
    sizeOf: sizeOfSums,
    sizeLimit: SUMS_KEPT,
  });
  return {
    readActivity: createDayCache({
      read: (day, before) => audit.readPart(day, before),
      sizeOf: ({ entries }) => entries.length,
      sizeLimit: EVENTS_KEPT,
    }),
    readEnded: (day) => endedOn(day),
    readSums: (day) => sumsOf(day),
  };
}
