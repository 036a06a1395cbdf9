/**
 * One job: the steps of a plan or of an apply, one after the other, with one log.
 *
 * Every step can be stopped, and all steps share the job's time. A shell runs only `run` steps and `env` steps with `run`,
 * which come from nowhere but the server's configuration.
 */
import { mkdir, realpath } from 'node:fs/promises';
import type { Failure, Step } from '@nereid/contracts';
import {
  runCommand,
  supervise,
  type CommandResult,
  type Sandbox,
  type SandboxFile,
  type StopTriggers,
} from '@nereid/subprocess';
import type { Environment } from './environment.ts';
import { LogFailedError } from '../errors.ts';
import { failureOf, refusal } from './failure.ts';
import { whyFilesRefused } from './given-files.ts';
import type { JobOptions } from './job-options.ts';
import { jobSandbox, makeSandboxFiles, type PlanAccess, type SandboxChoices } from './job-sandbox.ts';
import { createOutputReader } from './output-reader.ts';
import { tryInit } from './init-tries.ts';
import { initWithProviders } from '../providers/init-with-providers.ts';
import { argvOf, variablesOfStep, type CommandStep } from './step-command.ts';
import { variableArguments } from './variables.ts';
import {
  findWorkspace,
  isSelectedByInit,
  PRETEND_EMPTY_STATE,
  withoutBackendArguments,
  withoutWorkspace,
  workspaceMissing,
} from './workspace.ts';
import { stepResult, type StepResult } from './step-result.ts';
import { dataDirOf } from '../state/backend.ts';
import { whyDataDirRefused, whyStateLost } from '../state/why-state-lost.ts';

/** For one environment variable; the system allows 128 KiB. */
const ENV_VALUE_LIMIT_BYTES = 64 * 1024;

export interface Job {
  /** `commandName` names the step's files in the folder. */
  run(step: Step, commandName: string): Promise<StepResult>;
  /** Fails with the lock of the state, where there is one. */
  findLock(): Promise<StepResult>;
  /** Frees a lock of the state; `lockId` is of the form `isLockId`. */
  forceUnlock(lockId: string): Promise<StepResult>;
  /** Whether the workspace of the root is not there, and its plan is against nothing. */
  isWorkspacePretended: boolean;
  /** The values of `env` steps so far. */
  readonly envValues: Environment;
  readonly rootDir: string;
  /** The rest of the job's time. */
  remainingMs(): number;
  env(): Environment;
  /** The sandbox of a command. Default: with the job's own access to the plan, and no more files. */
  sandbox(choices?: SandboxChoices): Sandbox | undefined;
}

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

async function whyStepRefused(options: JobOptions, job: Job, step: Step): Promise<Failure | undefined> {
  const { rootDir, env, isWorkspacePretended } = job;
  const { root, sharedState } = options;
  const treeDir = await realpath(options.treeDir);
  const file = await whyFilesRefused({ step, root, treeDir, rootDir });
  if (file !== undefined) return failureOf(file);
  const place = { treeDir, rootDir, dataDir: dataDirOf(rootDir, env()), workspace: root.workspace };
  if (step.kind === 'init') return whyDataDirRefused(place);
  const isAsked = step.kind === 'plan' && sharedState !== undefined && !isWorkspacePretended;
  return isAsked ? whyStateLost({ ...place, sharedState }) : undefined;
}

type InitStep = Extract<Step, { kind: 'init' | 'plan' | 'apply' }>;

/** An init, then the workspace of the root. */
async function runInit(options: JobOptions, job: Job, step: InitStep, commandName: string): Promise<StepResult> {
  const { root, newWorkspace } = options;
  const isSelected =
    root.workspace === 'default' || 'TF_WORKSPACE' in job.envValues || (await isSelectedByInit(job.rootDir));
  const init = (args: readonly string[], name: string) =>
    tryInit(options, (attempt) =>
      initWithProviders(options, job, (env, files) => {
        const own = { ...(isSelected ? env : withoutWorkspace(env)), ...options.initEnv };
        const supervised = { name: `${name}-${attempt}`, env: own, files };
        return runSupervised(options, job, { ...step, extraArgs: args }, supervised);
      }),
    );
  const initialised = await init(step.extraArgs, commandName);
  if (isSelected || initialised.kind !== 'succeeded') return initialised;
  const found = await findWorkspace(options, job);
  if (found.kind === 'ended') return found.result;
  if (found.kind === 'there') return initialised;
  if (newWorkspace === undefined) return workspaceMissing(root.workspace);
  const refused = await whyStepRefused(options, job, { kind: 'plan', extraArgs: [] });
  if (refused !== undefined) return { kind: 'failed', failure: refused };
  const env = withoutWorkspace(job.env());
  if (newWorkspace === 'make')
    return runSupervised(options, job, { kind: 'workspace' }, { name: `${commandName}-workspace`, env });
  const pretending = { kind: 'run', run: PRETEND_EMPTY_STATE } as const;
  const pretended = await runSupervised(options, job, pretending, { name: `${commandName}-pretend`, env });
  if (pretended.kind !== 'succeeded') return pretended;
  job.isWorkspacePretended = true;
  await options.log(Buffer.from(`\nThe workspace ${root.workspace} is new: it is planned against nothing.\n\n`));
  return init(withoutBackendArguments(step.extraArgs), `${commandName}-again`);
}

interface SupervisedStep {
  readonly name: string;
  readonly env: Environment;
  /** What its sandbox has besides that of any step. */
  readonly files?: readonly SandboxFile[] | undefined;
}

async function runSupervised(
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

async function evaluate(
  options: JobOptions,
  job: Job,
  step: Extract<Step, { kind: 'env' }>,
  envValues: Record<string, string>,
): Promise<StepResult> {
  const output = createOutputReader(options.hide);
  const take = (value: string) => {
    envValues[step.name] = value;
    options.onEnvValue?.(step.name, value);
  };
  if ('value' in step) take(step.value);
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
  take(result.stdout.replace(/(?:\r?\n)+$/, ''));
  const said = Buffer.from(result.stderr);
  output.read(said);
  if (said.length > 0) await options.log(said);
  if (result.stdout.includes('\0'))
    return { kind: 'failed', failure: failureOf(`env ${step.name} has a NUL in its value`) };
  return stepResult(step.kind, result, output);
}

export function stopTriggers({ signal, patience }: StopTriggers, job: Pick<Job, 'remainingMs'>): StopTriggers {
  return { signal, patience, timeoutMs: job.remainingMs() };
}
