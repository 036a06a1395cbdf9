/** Days of the trail as one page reads them: it waits for a while, and then shows what it has. */
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createPatience, type Patience } from '../platform/in-time.ts';
import type { ReadParts } from '../trail/day-cache.ts';
import type { TrailReaders } from '../trail/readers.ts';
import type { Place } from '../trail/walk-back.ts';
import { AccessUnknownError } from './access-unknown.ts';
import type { Reader } from './reading.ts';
import { sightOf, type Sight, type SightSources } from './sight.ts';

export interface PatientDays<T> {
  /** Undefined for a day that storage does not answer for. */
  read(day: string, before?: Place): Promise<T | undefined>;
  /** Whether no more days can be read in time. */
  isOver(): boolean;
  /** The days that could not be read, the earliest first. */
  missing(): readonly string[];
}

export interface DaysInSightSources extends SightSources {
  /** How long a page waits for storage, in milliseconds. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Days as one reader sees them. Each answer has its own patience with storage. */
export function daysInSight<T>(
  { patienceMs, logger, ...sources }: DaysInSightSources,
  reader: Reader,
  readDayOf: (sight: Sight) => ReadParts<T>,
): { readonly days: PatientDays<T>; readonly sight: Sight } {
  const patience = createPatience(patienceMs);
  const sight = sightOf({ ...sources, trail: patientTrail(sources.trail, patience) }, reader);
  return { days: createPatientDays(readDayOf(sight), { patience, logger }), sight };
}

interface PatientDaysOptions {
  readonly patience: Pick<Patience, 'isOver'>;
  readonly logger: Pick<Logger, 'warn'>;
}

function createPatientDays<T>(readDay: ReadParts<T>, { patience, logger }: PatientDaysOptions): PatientDays<T> {
  const missing = new Set<string>();
  return {
    async read(day, before) {
      // A day is a lot of work where it is in memory: others have their turn in between.
      await setImmediate();
      try {
        return await readDay(day, before);
      } catch (error) {
        // Nothing is shown of what nobody may see: that is no matter of storage.
        if (error instanceof AccessUnknownError) throw error;
        logger.warn({ err: error, day }, 'a day of the trail cannot be read');
        missing.add(day);
        return undefined;
      }
    },
    isOver: () => patience.isOver(),
    missing: () => [...missing].sort(),
  };
}

/** The same readers for one page. Others wait for the same reading, each as long as they like. */
function patientTrail({ readActivity, readEnded, readSums }: TrailReaders, patience: Patience): TrailReaders {
  return {
    readActivity: (day, before) => patience.ask(() => readActivity(day, before)),
    readEnded: (day) => patience.ask(() => readEnded(day)),
    readSums: (day) => patience.ask(() => readSums(day)),
  };
}
