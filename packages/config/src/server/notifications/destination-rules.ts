/** Rules for the destinations of notifications beyond the shape of their keys. */
import { quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';

export interface DestinationSubject {
  /** The names of destinations, each with its place in the file's list. */
  readonly destinations: readonly { readonly index: number; readonly name: string }[];
}

/** Two destinations of one name would take each other's notifications out of storage. Storage may know no case. */
export function destinationNamesAreUnique({ destinations }: DestinationSubject, report: Report): void {
  const seen = new Map<string, number>();
  for (const { index, name } of destinations) {
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), index);
    else
      report.error(
        ['notifications', index, 'name'],
        `expected each name once, found ${quote(name)}, which is notifications[${first}] already; choose another one`,
      );
  }
}
