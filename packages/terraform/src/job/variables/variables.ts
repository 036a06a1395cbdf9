/**
 * The variables of a root's plan, for the other commands that need them:
 *
 * - An apply, whose plan has no values of `ephemeral` variables. Terraform 1.10.0 and 1.10.1 refuse variables beside a plan.
 * - With OpenTofu, every command that looks at the backend or at the sources of modules, where variables may stand.
 */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Root } from '@nereid/domain/root';
import { gte } from 'semver';
import type { JobOptions, StepName } from '../job-options.ts';

/** The first versions that take variables. */
const OF_AN_APPLY = { terraform: '1.10.2', tofu: '1.11.0' } as const;
const OF_A_BACKEND = '1.8.0';

/**
 * The arguments that give a step the variables, in the order of the plan's. A file that is no longer there, such as one that
 * a step of the plan wrote outside of the tree, is left out: most applies need none.
 */
export async function variableArguments(
  step: StepName,
  { root, terraformVersion }: Pick<JobOptions, 'root' | 'terraformVersion'>,
  rootDir: string,
): Promise<readonly string[]> {
  if (terraformVersion === undefined || !takesVariables(step, root.distribution, terraformVersion)) return [];
  const written = variablesOf(root).map(async (argument) => ((await isThere(argument, rootDir)) ? [argument] : []));
  return (await Promise.all(written)).flat();
}

function takesVariables(step: StepName, distribution: Root['distribution'], version: string): boolean {
  switch (step) {
    case 'apply':
      return gte(version, OF_AN_APPLY[distribution]);
    case 'init':
    case 'workspace':
    case 'find-lock':
    case 'force-unlock':
    case 'state list':
    case 'state pull':
      return distribution === 'tofu' && gte(version, OF_A_BACKEND);
    case 'plan':
    case 'read':
    case 'env':
    case 'run':
    case 'refuse':
      return false;
  }
}

/** Each as one argument, `-var=…` or `-var-file=…`. */
export function variablesOf({ varFiles, steps }: Pick<Root, 'varFiles' | 'steps'>): readonly string[] {
  const ofSteps = steps.plan.flatMap((step) => (step.kind === 'plan' ? step.extraArgs : []));
  const extra = ofSteps.flatMap((argument, index) => {
    const [, flag, value = ofSteps[index + 1] ?? ''] = /^--?(var|var-file)(?:=(.*))?$/s.exec(argument) ?? [];
    return flag === undefined ? [] : [`-${flag}=${value}`];
  });
  return [...varFiles.map((file) => `-var-file=${file}`), ...extra];
}

async function isThere(argument: string, rootDir: string): Promise<boolean> {
  const [, file] = /^-var-file=(.*)$/s.exec(argument) ?? [];
  if (file === undefined) return true;
  return access(path.resolve(rootDir, file)).then(
    () => true,
    () => false,
  );
}
