/** Warnings about the configuration of a revision, as all surfaces show them. A pure function. */
import { formatProblem, type Problem } from '@nereid/config';
import { plain } from '@nereid/forge';

export interface Warned {
  /** The one that the warnings are about, where they name no other. */
  readonly file: string;
  readonly warnings: readonly Problem[];
}

/** Each deployment of the revision carries them, and a thousand have to fit into the queue of a lane. */
const SHOWN = 2;

/** In characters: the place, and what was expected, found and is to be done. */
const LENGTH_LIMIT = 200;

/** At most one more than `SHOWN`, of one line and `LENGTH_LIMIT` each. Hostile. */
export function configWarnings({ file, warnings }: Warned): readonly string[] {
  const lines = warnings.slice(0, SHOWN).map((warning) => plain(lineOf(warning, file), LENGTH_LIMIT));
  const more = warnings.length - lines.length;
  return more === 0 ? lines : [...lines, `${more} more ${more === 1 ? 'is' : 'are'} not listed; fix these first`];
}

/** One without a line is about the repository, or about a file that it names itself. */
function lineOf(warning: Problem, file: string): string {
  return warning.line === undefined ? warning.message : formatProblem(warning, file);
}
