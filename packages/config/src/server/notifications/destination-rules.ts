/** Rules for the destinations of notifications beyond the shape of their keys. */
import { reportRepeatedNames } from '../../yaml/names-once.ts';
import type { Report } from '../../yaml/report.ts';
import type { Placed } from '../../yaml/sound.ts';

export interface DestinationSubject {
  /** The names of destinations, each with its place in the file's list. */
  readonly destinations: readonly Placed<{ readonly name: string }>[];
}

/** Two destinations of one name would take each other's notifications out of storage. */
export function destinationNamesAreUnique({ destinations }: DestinationSubject, report: Report): void {
  reportRepeatedNames('notifications', destinations, report);
}
