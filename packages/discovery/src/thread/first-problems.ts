import type { Problem } from '@nereid/config';
import type { JobResult } from './messages.ts';

/** A person mends a few at a time, and a check run has room for fewer. */
const PROBLEMS_LIMIT = 200;

/** A file of a megabyte can have a hundred thousand problems, or as many warnings. */
export function withFirstProblems(result: JobResult): JobResult {
  switch (result.kind) {
    case 'problems':
      return { ...result, problems: firstOf(result.problems) };
    case 'roots':
      return { ...result, warnings: firstOf(result.warnings) };
    case 'unknown':
    case 'touching':
    case 'inputs':
      return result;
  }
}

function firstOf(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= PROBLEMS_LIMIT) return problems;
  const more = problems.length - PROBLEMS_LIMIT;
  return [...problems.slice(0, PROBLEMS_LIMIT), { path: '', message: `${more} more are not listed; fix these first` }];
}
