/** Rules for the arguments that the steps of the server's file add. */
import { nearestOf } from '../../yaml/nearest.ts';
import { quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { WorkflowJob, WorkflowSubject } from '../workflows/workflow-rules.ts';
import { ARGUMENT_VARIABLES, referencesIn } from './argument-variables.ts';

type ArgumentSubject = Pick<WorkflowSubject, 'jobs'>;

const KNOWN = ARGUMENT_VARIABLES.map((name) => `\${${name}}`);

export function argumentVariablesAreKnown({ jobs }: ArgumentSubject, report: Report): void {
  for (const { path, argument } of argumentsIn(jobs)) {
    for (const { name } of referencesIn(argument).filter(({ isKnown }) => !isKnown)) {
      const nearest = nearestOf(name, ARGUMENT_VARIABLES);
      const meant = nearest === undefined ? '' : `did you mean \${${nearest}}? `;
      report.error(
        path,
        `expected only the variables ${KNOWN.join(', ')}, found ${quote(argument)}; ${meant}write $\${ for \${ itself`,
      );
    }
  }
}

/** A repository chooses its directories: `-destroy` is one, and `-${root.dir}` could be any option. */
export function argumentVariablesAreValues({ jobs }: ArgumentSubject, report: Report): void {
  for (const { path, argument } of argumentsIn(jobs)) {
    const first = referencesIn(argument)[0]?.before;
    if (first === undefined || (first.startsWith('-') ? first.includes('=') : first !== '')) continue;
    report.error(
      path,
      `expected variables in the value of an argument, found ${quote(argument)}, of which a repository could make another option; write it like -var-file=\${workspace}.tfvars`,
    );
  }
}

/** The names that `run` steps know, as a shell would read them: here, they reach Terraform as they are written. */
const OF_RUN_STEPS =
  /\$(?:BASE_REPO_(?:OWNER|NAME)|HEAD_COMMIT|DIR|PROJECT_NAME|REPO_REL_DIR|WORKSPACE|PLANFILE|TERRAFORM)\b/;

export function argumentsGoThroughNoShell({ jobs }: ArgumentSubject, report: Report): void {
  for (const { path, argument } of argumentsIn(jobs)) {
    const [found] = OF_RUN_STEPS.exec(argument) ?? [];
    if (found === undefined) continue;
    report.warn(
      path,
      `expected one of ${KNOWN.join(', ')}, found ${quote(found)}, which reaches Terraform as it is: only run steps have a shell`,
    );
  }
}

function argumentsIn(jobs: readonly WorkflowJob[]) {
  return jobs.flatMap(({ workflow, job, steps }) =>
    steps.flatMap((step, index) =>
      'extraArgs' in step
        ? step.extraArgs.map((argument, place) => ({
            path: ['workflows', workflow, job, index, step.kind, 'extra_args', place],
            argument,
          }))
        : [],
    ),
  );
}
