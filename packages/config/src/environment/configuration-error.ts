import { formatProblem, type Problem } from '../yaml/problem.ts';

/** The process cannot start with this configuration. The message has a line for every problem. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'CONFIGURATION';
  readonly problems: readonly LocatedProblem[];

  constructor(problems: readonly LocatedProblem[]) {
    super(['the configuration must be fixed:', ...problems.map(describe)].join('\n  '));
    this.problems = problems;
  }
}

/** A problem and its file; problems of the environment have no file. */
export interface LocatedProblem extends Problem {
  readonly file?: string;
}

function describe(problem: LocatedProblem): string {
  return formatProblem(problem, problem.file);
}
