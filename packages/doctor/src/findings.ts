import { formatProblem, type LocatedProblem } from '@nereid/config';
import type { Finding } from './check.ts';

export function ok(found: string): Finding {
  return { outcome: 'ok', found };
}

export function skip(found: string): Finding {
  return { outcome: 'skip', found };
}

export function warn(sentence: string): Finding {
  return { outcome: 'warn', ...partsOf(sentence) };
}

/** `expected …, found …; do …`: what follows the semicolon is what to do. */
export function fail(sentence: string): Finding {
  return { outcome: 'fail', ...partsOf(sentence) };
}

/** One for each problem, with its place in a file or its variable. */
export function failuresOf(problems: readonly LocatedProblem[]): readonly Finding[] {
  return problems.map((problem) => fail(formatProblem(problem, problem.file)));
}

/** What was found may have semicolons of its own, so the last one counts; but advice that has some begins with "or". */
function partsOf(sentence: string): Pick<Finding, 'found' | 'remedy'> {
  const [found = '', ...advice] = sentence.split(/; (?!or )/);
  if (advice.length === 0) return { found: sentence };
  return { found: [found, ...advice.slice(0, -1)].join('; '), remedy: advice.at(-1) ?? '' };
}
