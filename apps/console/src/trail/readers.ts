/** What the console reads of the past, day by day. */
import type { AuditTrail, DayEntry, EndedDeployments } from '@nereid/storage';
import type { TrailEvent } from '@nereid/contracts';
import { measure, type Measured } from '../insights/measured.ts';
import { endedOf, type Ended } from '../rollouts/find-rollouts.ts';
import { createDayCache, type ReadDay } from './day-cache.ts';

export interface TrailReaders {
  readonly readActivity: ReadDay<readonly DayEntry<TrailEvent>[]>;
  readonly readEnded: ReadDay<readonly Ended[]>;
  readonly readMeasured: ReadDay<readonly Measured[]>;
}

/** A few tens of megabytes: an event takes a kilobyte, a measured deployment a tenth of that. */
const EVENTS_KEPT = 30_000;
const MEASURED_KEPT = 300_000;

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
    readMeasured: createDayCache({
      read: async (day) => (await ended.read(day)).map(({ entry }) => measure(entry)),
      sizeOf,
      sizeLimit: MEASURED_KEPT,
    }),
  };
}
