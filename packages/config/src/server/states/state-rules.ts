/** Rules for where states are. */
import { quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { WorkflowJob } from '../workflows/workflow-rules.ts';
import type { TerraformConfig } from '../terraform/terraform-config.ts';

export interface StateSubject {
  readonly terraform: Pick<TerraformConfig, 'sandbox' | 'sandboxWrite' | 'sharedState'>;
  readonly jobs: readonly WorkflowJob[];
}

/** Terraform writes the state from within the sandbox. */
export function sharedStateCanBeWritten({ terraform }: StateSubject, report: Report): void {
  const { sandbox, sandboxWrite, sharedState } = terraform;
  if (sandbox === 'none') return;
  for (const [index, folder] of sharedState.entries()) {
    if (sandboxWrite.some((path) => `${folder}/`.startsWith(`${path}/`))) continue;
    report.error(
      ['terraform', 'shared_state', index],
      `expected a folder that commands can change, found ${quote(folder)}; add it to sandbox_write`,
    );
  }
}

/** Nobody sees whether the state that such a flag names outlives the working tree. */
export function statesAreInBackends({ jobs }: StateSubject, report: Report): void {
  for (const { workflow, job, steps } of jobs) {
    for (const [index, step] of steps.entries()) {
      const flag =
        'extraArgs' in step ? step.extraArgs.find((arg) => /^--?state(?:-out)?(?:=|$)/.test(arg)) : undefined;
      if (flag === undefined) continue;
      report.error(
        ['workflows', workflow, job, index],
        `expected the backend of each root to say where its state is, found ${quote(flag)}; give init { extra_args: [-backend-config=…] }`,
      );
    }
  }
}
