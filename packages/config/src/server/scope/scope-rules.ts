/** Rules about the roots that an entry of the server's file is about. */
import { quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { Placed } from '../../yaml/sound.ts';
import { NAME_RULE } from '../glob.ts';
import type { Scope } from './scope.ts';

/** A repository's own file gives its roots their names. `what` is one entry of the section: "window". */
export function warnOfNames(
  section: string,
  what: string,
  entries: readonly Placed<Pick<Scope, 'roots'>>[],
  report: Report,
): void {
  for (const { index, value } of entries)
    for (const [place, match] of value.roots.entries())
      if (match.startsWith(NAME_RULE))
        report.warn(
          [section, index, 'roots', place],
          `expected a directory, found the name ${quote(match)}: a repository names its roots itself, so it can escape this ${what}; match the directory`,
        );
}
