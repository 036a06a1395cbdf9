import { supervise, type CommandResult, type SandboxFile } from '@nereid/subprocess';
import { LogFailedError } from '../errors.ts';
import type { Environment } from '../environment.ts';
import type { JobOptions } from './job-options.ts';
import type { Job } from './job.ts';
import { createOutputReader } from './output/output-reader.ts';
import { argvOf, type CommandStep } from './step-command.ts';
import { stepResult, type StepResult } from './step-result.ts';
import { stopTriggers } from './stop-triggers.ts';
import { variableArguments } from './variables/variables.ts';

export interface SupervisedStep {
  readonly name: string;
  readonly env: Environment;
  /** What its sandbox has besides that of any step. */
  readonly files?: readonly SandboxFile[] | undefined;
}

export async function runSupervised(
  options: JobOptions,
  job: Job,
  step: CommandStep,
  { name, env, files }: SupervisedStep,
): Promise<StepResult> {
  const output = createOutputReader(options.hide);
  const result = await supervise({
    argv: argvOf(step, options, await variableArguments(step.kind, options, job.rootDir)),
    env,
    cwd: job.rootDir,
    sandbox: job.sandbox({ files }),
    folder: options.folder,
    name,
    ...stopTriggers(options, job),
    onOutput: (chunk) => {
      output.read(chunk);
      return options.log(chunk);
    },
  });
  failWithLog(step, result);
  return stepResult(step.kind, result, output);
}

/** A plan without its log is made again. An apply is not, so its outcome counts more than its log. */
function failWithLog(step: CommandStep, { outputError }: CommandResult): void {
  if (outputError !== undefined && step.kind !== 'apply') throw new LogFailedError(step.kind, { cause: outputError });
}
