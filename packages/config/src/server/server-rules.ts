/** What must hold for the server's file beyond the shape of its keys. One rule, one test. */
import { nearestOf } from '../yaml/nearest.ts';
import { quote, type Path } from '../yaml/problem.ts';
import type { Report, Rule } from '../yaml/report.ts';
import type { ServerConfig } from './server-config.ts';

export const serverRules: readonly Rule<ServerConfig>[] = [
  someRepositoryIsAllowed,
  matchesAreUnique,
  namedWorkflowsExist,
  workflowsPlanAndApply,
];

export function someRepositoryIsAllowed({ repositories }: ServerConfig, report: Report): void {
  if (repositories.length > 0) return;
  report.error(['repositories'], 'expected at least one repository, found an empty list; add { match: owner/name }');
}

export function matchesAreUnique({ repositories }: ServerConfig, report: Report): void {
  const seen = new Map<string, number>();
  for (const [index, { match }] of repositories.entries()) {
    const first = seen.get(match.toLowerCase());
    if (first === undefined) seen.set(match.toLowerCase(), index);
    else
      report.error(
        ['repositories', index, 'match'],
        `expected each match once, found ${quote(match)}, which is repositories[${first}] already; merge the two`,
      );
  }
}

export function namedWorkflowsExist({ repositories, workflows }: ServerConfig, report: Report): void {
  const check = (path: Path, workflow: string | undefined) => {
    if (workflow === undefined || workflows.has(workflow)) return;
    const nearest = nearestOf(workflow, [...workflows.keys()]);
    const remedy = nearest === undefined ? 'add it under workflows' : `did you mean ${quote(nearest)}?`;
    report.error(path, `expected the name of a workflow, found ${quote(workflow)}; ${remedy}`);
  };
  for (const [index, entry] of repositories.entries()) {
    check(['repositories', index, 'workflow'], entry.settings.workflow);
    for (const root of entry.roots)
      check(['repositories', index, 'roots', root.match, 'workflow'], root.settings.workflow);
  }
}

/** What was planned is what is applied: each job has the one operation that it is for. */
export function workflowsPlanAndApply({ workflows }: ServerConfig, report: Report): void {
  for (const [name, steps] of workflows) {
    for (const job of ['plan', 'apply'] as const) {
      const count = steps[job].filter(({ kind }) => kind === job).length;
      const other = job === 'plan' ? 'apply' : 'plan';
      if (count !== 1)
        report.error(['workflows', name, job], `expected the step ${job} exactly once, found it ${count} times`);
      if (steps[job].some(({ kind }) => kind === other)) {
        report.error(
          ['workflows', name, job],
          `expected no step ${other} in the job ${job}, found one; move it to ${other}`,
        );
      }
    }
  }
}
