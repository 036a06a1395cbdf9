import { formatProblem, type Problem } from '../yaml/problem.ts';

/** The process cannot start as it is configured. Its message has a line for every problem. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'CONFIGURATION';
  readonly problems: readonly LocatedProblem[];

  constructor(problems: readonly LocatedProblem[]) {
    super(['the configuration has to be mended:', ...problems.map(describe)].join('\n  '));
    this.problems = problems;
  }
}

/** A problem and the file it is in; none for the environment. */
export interface LocatedProblem extends Problem {
  readonly file?: string;
}

/** What a process exits with when its configuration is wrong; 1 is for what went wrong while it ran. */
const EXIT_CODE = 2;

/** Starts a process; where its configuration is wrong, says so without a stack trace and ends it. */
export async function startOrExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (error instanceof ConfigurationError) exitWithProblems(error);
    throw error;
  }
}

/** Prints every problem on the standard error stream and ends the process with code 2. */
export function exitWithProblems(error: ConfigurationError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(EXIT_CODE);
}

function describe(problem: LocatedProblem): string {
  return formatProblem(problem, problem.file);
}
