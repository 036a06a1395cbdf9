/** Rules for the workflows of the server's file. */
import type { Step } from '@nereid/domain/root';
import { nearestOf } from '../../yaml/nearest.ts';
import { quote, type Path } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { RepositoryEntry } from '../repository-entry.ts';

/** The part of the file that the rules below judge. */
export interface WorkflowSubject {
  /** Each with its place in the file's list. */
  readonly repositories: readonly { readonly index: number; readonly entry: RepositoryEntry }[];
  /** Undefined when errors in the file hide them. */
  readonly workflowNames: ReadonlySet<string> | undefined;
  readonly jobs: readonly WorkflowJob[];
}

/** One of the two jobs of a workflow. */
export interface WorkflowJob {
  readonly workflow: string;
  readonly job: 'plan' | 'apply';
  readonly steps: readonly Step[];
}

export function namedWorkflowsExist({ repositories, workflowNames }: WorkflowSubject, report: Report): void {
  if (!workflowNames) return;
  const check = (path: Path, workflow: string | undefined) => {
    if (workflow === undefined || workflowNames.has(workflow)) return;
    const nearest = nearestOf(workflow, [...workflowNames]);
    const remedy = nearest === undefined ? 'add it under workflows' : `did you mean ${quote(nearest)}?`;
    report.error(path, `expected the name of a workflow, found ${quote(workflow)}; ${remedy}`);
  };
  for (const { index, entry } of repositories) {
    check(['repositories', index, 'workflow'], entry.settings.workflow);
    for (const root of entry.roots)
      check(['repositories', index, 'roots', root.match, 'workflow'], root.settings.workflow);
  }
}

/** Each job has exactly the operation that it is for, so that the plan that was made is the plan that is applied. */
export function eachJobHasItsOperation({ jobs }: WorkflowSubject, report: Report): void {
  for (const { workflow, job, steps } of jobs) {
    const path = ['workflows', workflow, job];
    const other = job === 'plan' ? 'apply' : 'plan';
    const count = steps.filter(({ kind }) => kind === job).length;
    if (count !== 1) {
      const remedy = count === 0 ? 'add it' : 'remove the others';
      report.error(path, `expected the step ${job} exactly once, found it ${count} times; ${remedy}`);
    }
    if (steps.some(({ kind }) => kind === other))
      report.error(path, `expected no step ${other} in the job ${job}, found one; move it to ${other}`);
  }
}
