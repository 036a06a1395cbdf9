import type { Step } from '@nereid/domain/root';
import { whySelectionRefused } from './committed-workspace.ts';
import { initWithProviders } from './init-with-providers.ts';
import type { JobOptions } from '../job-options.ts';
import type { Job } from '../job.ts';
import { withRareCollections } from '../rare-collections.ts';
import { whyStepRefused } from '../step-refusal.ts';
import type { StepResult } from '../step-result.ts';
import { runSupervised } from '../supervised-step.ts';
import { tryInit } from './init-tries.ts';
import {
  findWorkspace,
  isSelectedByInit,
  PRETEND_EMPTY_STATE,
  withoutBackendArguments,
  withoutWorkspace,
  workspaceMissing,
} from './workspace.ts';

type InitStep = Extract<Step, { kind: 'init' | 'plan' | 'apply' }>;

/** An init, then the workspace of the root. */
export async function runInit(options: JobOptions, job: Job, step: InitStep, commandName: string): Promise<StepResult> {
  const { root, missingWorkspace } = options;
  const selection = await whySelectionRefused(options, job);
  if (selection !== undefined) return { kind: 'failed', failure: selection };
  const isSelected =
    root.workspace === 'default' ||
    'TF_WORKSPACE' in job.envValues ||
    (await isSelectedByInit(job.rootDir, root.distribution));
  const init = (args: readonly string[], name: string) =>
    tryInit(options, (attempt) =>
      initWithProviders(options, job, (env, files) => {
        const own = withRareCollections({ ...(isSelected ? env : withoutWorkspace(env)), ...options.initEnv });
        const supervised = { name: `${name}-${attempt}`, env: own, files };
        return runSupervised(options, job, { ...step, extraArgs: args }, supervised);
      }),
    );
  const initialised = await init(step.extraArgs, commandName);
  if (isSelected || initialised.kind !== 'succeeded') return initialised;
  const found = await findWorkspace(options, job);
  if (found.kind === 'ended') return found.result;
  if (found.kind === 'there') return initialised;
  if (missingWorkspace === undefined) return workspaceMissing(root.workspace);
  const refused = await whyStepRefused(options, job, { kind: 'plan', extraArgs: [] });
  if (refused !== undefined) return { kind: 'failed', failure: refused };
  const env = withoutWorkspace(job.env());
  if (missingWorkspace === 'make')
    return runSupervised(options, job, { kind: 'workspace' }, { name: `${commandName}-workspace`, env });
  const pretending = { kind: 'run', run: PRETEND_EMPTY_STATE } as const;
  const pretended = await runSupervised(options, job, pretending, { name: `${commandName}-pretend`, env });
  if (pretended.kind !== 'succeeded') return pretended;
  job.isWorkspacePretended = true;
  await options.log(Buffer.from(`\nThe workspace ${root.workspace} is new: it is planned against nothing.\n\n`));
  return init(withoutBackendArguments(step.extraArgs), `${commandName}-again`);
}
