/** The problems with which operations answer, by status. */
import { Problem, PROBLEMS, type ProblemStatus } from '../problem.ts';
import type { DescribedAnswer } from './document.ts';
import { referenceTo } from './json-schemas.ts';

export function problemsOf(statuses: readonly ProblemStatus[]): Readonly<Record<string, DescribedAnswer>> {
  const content = { 'application/problem+json': { schema: referenceTo(Problem) } };
  return Object.fromEntries(statuses.map((status) => [status, { description: PROBLEMS[status], content }]));
}
