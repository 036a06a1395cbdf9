import { mkdir } from 'node:fs/promises';
import type { Step } from '@nereid/domain/root';
import { runCommand } from '@nereid/subprocess';
import type { Environment } from '../environment.ts';
import { failureOf, refusal } from '../failure/failure.ts';
import { runInit } from './init/init-step.ts';
import type { JobOptions } from './job-options.ts';
import { jobSandbox, makeSandboxFiles, type PlanAccess } from './job-sandbox.ts';
import type { Job } from './job.ts';
import { createOutputReader } from './output/output-reader.ts';
import { argvOf, variablesOfStep } from './step-command.ts';
import { whyStepRefused } from './step-refusal.ts';
import { stepResult, type StepResult } from './step-result.ts';
import { stopTriggers } from './stop-triggers.ts';
import { runSupervised } from './supervised-step.ts';

/** For one environment variable; the system allows 128 KiB. */
const ENV_VALUE_LIMIT_BYTES = 64 * 1024;

export interface JobLimits {
  /** For all steps together. */
  readonly timeoutMs: number;
  readonly planAccess: PlanAccess;
  /** Values of `env` steps that belong to the deployment; they are not evaluated again. */
  readonly kept?: Environment;
}

export async function createJob(
  options: JobOptions,
  rootDir: string,
  { timeoutMs, planAccess, kept = {} }: JobLimits,
): Promise<Job> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  await makeSandboxFiles(options);
  const deadline = performance.now() + timeoutMs;
  const envValues: Record<string, string> = { ...kept };
  for (const [name, value] of Object.entries(kept)) options.onEnvValue?.(name, value);
  const job: Job = {
    async run(step, commandName) {
      options.onStep?.(step.kind);
      const refused = await whyStepRefused(options, job, step);
      if (refused !== undefined) return { kind: 'failed', failure: refused };
      if (step.kind === 'refuse') return { kind: 'failed', failure: refusal(step.why) };
      if (step.kind === 'env') return evaluate(options, job, step, envValues);
      if (step.kind === 'init') return runInit(options, job, step, commandName);
      const env = step.kind === 'run' ? { ...job.env(), ...variablesOfStep(options, rootDir) } : job.env();
      return runSupervised(options, job, step, { name: commandName, env });
    },
    findLock() {
      options.onStep?.('find-lock');
      return runSupervised(options, job, { kind: 'find-lock' }, { name: 'find-lock', env: job.env() });
    },
    forceUnlock(lockId) {
      options.onStep?.('force-unlock');
      return runSupervised(options, job, { kind: 'force-unlock', lockId }, { name: 'force-unlock', env: job.env() });
    },
    isWorkspacePretended: false,
    envValues,
    rootDir,
    remainingMs: () => Math.max(0, deadline - performance.now()),
    env: () => ({ ...options.env, ...envValues }),
    sandbox: (choices) => jobSandbox(options, { planAccess, ...choices }),
  };
  return job;
}

async function evaluate(
  options: JobOptions,
  job: Job,
  step: Extract<Step, { kind: 'env' }>,
  envValues: Record<string, string>,
): Promise<StepResult> {
  const output = createOutputReader(options.hide);
  const setEnvValue = (value: string) => {
    envValues[step.name] = value;
    options.onEnvValue?.(step.name, value);
  };
  if ('value' in step) setEnvValue(step.value);
  if ('value' in step || step.name in envValues) return { kind: 'succeeded', exitCode: 0, output };
  const result = await runCommand({
    argv: argvOf({ kind: 'run', run: step.run }, options),
    env: { ...job.env(), ...variablesOfStep(options, job.rootDir) },
    cwd: job.rootDir,
    sandbox: job.sandbox(),
    outputLimitBytes: ENV_VALUE_LIMIT_BYTES,
    ...stopTriggers(options, job),
  });
  // Must come before the output is logged: a step that traces itself prints its value there.
  setEnvValue(result.stdout.replace(/(?:\r?\n)+$/, ''));
  const said = Buffer.from(result.stderr);
  output.read(said);
  if (said.length > 0) await options.log(said);
  if (result.stdout.includes('\0'))
    return { kind: 'failed', failure: failureOf(`env ${step.name} has a NUL in its value`) };
  return stepResult(step.kind, result, output);
}
