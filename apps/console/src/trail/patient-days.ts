/** Days of the trail as one page reads them: it waits for a while, and then shows what it has. */
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AccessUnknownError } from '../access/access-unknown.ts';
import type { Patience } from '../in-time.ts';
import type { ReadParts } from './day-cache.ts';
import type { TrailReaders } from './readers.ts';
import type { Place } from './walk-back.ts';

export interface PatientDays<T> {
  /** Undefined for a day that storage does not answer for. */
  read(day: string, before?: Place): Promise<T | undefined>;
  /** Whether no more days can be read in time. */
  isOver(): boolean;
  /** The days that could not be read, the earliest first. */
  missing(): readonly string[];
}

export interface PatientDaysOptions {
  readonly patience: Pick<Patience, 'isOver'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createPatientDays<T>(readDay: ReadParts<T>, { patience, logger }: PatientDaysOptions): PatientDays<T> {
  const missing = new Set<string>();
  return {
    async read(day, before) {
      // A day is a lot of work where it is in memory: others have their turn in between.
      await setImmediate();
      try {
        return await readDay(day, before);
      } catch (error) {
        // Of what nobody may see, nothing is shown: that is no matter of storage.
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
export function patientTrail({ readActivity, readEnded, readSums }: TrailReaders, patience: Patience): TrailReaders {
  return {
    readActivity: (day, before) => patience.ask(() => readActivity(day, before)),
    readEnded: (day) => patience.ask(() => readEnded(day)),
    readSums: (day) => patience.ask(() => readSums(day)),
  };
}
