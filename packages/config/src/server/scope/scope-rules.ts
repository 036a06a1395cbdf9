/** Rules about the repositories and roots that an entry of the server's file is about. */
import { nearestOf } from '../../yaml/nearest.ts';
import { quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { Placed } from '../../yaml/sound.ts';
import { NAME_RULE } from '../glob.ts';
import { mayOverlap } from './may-overlap.ts';
import type { Scope } from './scope.ts';
import type { WrittenScope } from './scopes-in.ts';

export interface ScopeSubject {
  readonly repositories: readonly { readonly entry: { readonly match: string } }[];
  readonly scopes: readonly WrittenScope[];
}

/** A freeze that is misspelt freezes nothing, and nobody would notice. */
export function scopesMatchSomeRepository({ repositories, scopes }: ScopeSubject, report: Report): void {
  const matches = repositories.map(({ entry }) => entry.match);
  for (const { path, what, repositories: globs } of scopes)
    for (const [place, glob] of globs.entries()) {
      if (matches.some((match) => mayOverlap(match, glob))) continue;
      const meant = nearestOf(glob, matches);
      const advice = meant === undefined ? 'correct it, or add an entry' : `did you mean ${quote(meant)}?`;
      report.warn(
        [...path, 'repositories', place],
        `expected a repository that an entry of repositories matches, found ${quote(glob)}: ${what} covers nothing by it; ${advice}`,
      );
    }
}

/** The path of a directory from the top has no `.` in it. */
const UNREACHABLE = /.\/\.(?:\/|$)/;

export function scopesMatchSomeRoot({ scopes }: ScopeSubject, report: Report): void {
  for (const { path, what, roots } of scopes)
    for (const [place, match] of roots.entries())
      if (UNREACHABLE.test(match))
        report.warn(
          [...path, 'roots', place],
          `expected a directory from the top of the repository, found ${quote(match)}, which no directory is called: ${what} covers nothing by it; leave out the "."`,
        );
}

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
