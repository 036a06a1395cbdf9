import { quote } from './problem.ts';
import type { Report } from './report.ts';
import type { Placed } from './sound.ts';

/** Names that differ in case alone are one: people read them as one, and storage may know no case. */
export function reportRepeatedNames(
  section: string,
  named: readonly Placed<{ readonly name: string }>[],
  report: Report,
): void {
  const seen = new Map<string, number>();
  for (const { index, value } of named) {
    const { name } = value;
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), index);
    else
      report.error(
        [section, index, 'name'],
        `expected each name once, found ${quote(name)}, which is ${section}[${first}] already; choose another one`,
      );
  }
}
