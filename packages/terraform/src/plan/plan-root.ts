import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Failure, PlanSummary, PlanText } from '@nereid/contracts';
import { runCommand, type StopCause, type StoppedBy } from '@nereid/subprocess';
import { digestOf } from './digest.ts';
import type { Environment } from '../job/environment.ts';
import { failureOf } from '../job/failure.ts';
import type { JobOptions } from '../job/job-options.ts';
import { createJob, type Job } from '../job/job.ts';
import { judgedCommand } from '../job/judged-command.ts';
import { createOutputReader } from '../job/output-reader.ts';
import { copyPlan } from './copy-plan.ts';
import { readPlan } from './read-plan.ts';
import { readPlanText } from './read-plan-text.ts';
import { readStateVersion } from './read-state-version.ts';
import { locateRoot } from '../job/root-dir.ts';
import { stepResult, type StepResult } from '../job/step-result.ts';
import { stopTriggers } from '../job/stop-triggers.ts';

export type PlanResult =
  | {
      readonly kind: 'planned';
      /** True for exit code 2 of `plan -detailed-exitcode`, false for 0. */
      readonly hasChanges: boolean;
      /** SHA-256 of the plan file, 64 hex digits. */
      readonly digest: string;
      readonly summary: PlanSummary;
      /** As in `Plan`. */
      readonly stateVersion?: string;
      /** The workspace is not there, so it was planned against nothing, and nothing can apply it. */
      readonly newWorkspace?: true;
      /** Absent for a plan without changes. */
      readonly text?: PlanText;
      readonly planFile: string;
      /** Values of `env` steps, to be kept with the plan and given to its apply. May be secret. */
      readonly envValues: Environment;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly failure: Failure; readonly cause: StopCause; readonly stoppedBy: StoppedBy };

/**
 * Runs the plan steps of a root and reads the plan that they made. Throws only failures of the host: `StepNotStartedError`,
 * `LogFailedError`, errors of the file system.
 */
export async function planRoot(options: JobOptions): Promise<PlanResult> {
  const located = await locateRoot(options.treeDir, options.root.dir);
  if (located.kind === 'not-found') return failed(located.why);

  const job = await createJob(options, located.rootDir, {
    timeoutMs: options.root.timeoutMs.plan,
    planAccess: 'write',
  });
  let hasChanges: boolean | undefined;
  for (const [index, step] of options.root.steps.plan.entries()) {
    if (step.kind === 'apply')
      return failed("expected no apply among the plan steps of this root, found one: remove it from the server's file");
    const result = await job.run(step, `${index + 1}-${step.kind}`);
    if (result.kind !== 'succeeded') return ended(result);
    if (step.kind === 'plan') hasChanges = result.exitCode === 2;
  }
  if (hasChanges === undefined) return failed('expected a plan among the plan steps of this root, found none');
  return describePlan(options, job, hasChanges);
}

/** Five times the largest that we know of. It is copied, hashed, and stored; code of the root could fill it up to any size. */
const PLAN_LIMIT_MIB = 256;

/**
 * Code of the root runs while its plan is made, and could write another plan, or end the command with another exit code. So
 * the file is believed and not the exit code, and it cannot be changed while it is shown.
 */
async function describePlan(options: JobOptions, job: Job, hasChanges: boolean): Promise<PlanResult> {
  const { planFile } = options;
  const sizeMib = Math.ceil((await stat(planFile)).size / 1024 ** 2);
  if (sizeMib > PLAN_LIMIT_MIB)
    return failed(`expected a plan file of at most ${PLAN_LIMIT_MIB} MiB, found ${sizeMib} MiB; split the root`);
  await copyPlan(planFile, planFile);
  const [digest, stateVersion, summarised, described] = await Promise.all([
    digestOf(planFile),
    readStateVersion(planFile),
    summarise(options, job),
    hasChanges ? describe(options, job) : NO_TEXT,
  ]);
  if (summarised.kind !== 'shown') return summarised;
  if (described.kind !== 'shown') return described;
  const summary = summarised.content;
  const text = described.content;
  const isChanged = CHANGES.some((change) => summary[change] > 0);
  if (isChanged && !hasChanges)
    return failed('expected a plan without changes, as its exit code says, found one with changes');
  const { envValues } = job;
  const ofState = job.isWorkspacePretended
    ? ({ newWorkspace: true } as const)
    : { ...(stateVersion !== undefined && { stateVersion }) };
  const details = { ...ofState, ...(text && { text }) };
  return { kind: 'planned', hasChanges, digest, summary, ...details, planFile, envValues };
}

const CHANGES = ['create', 'update', 'replace', 'delete', 'import', 'forget'] as const;

/** What `terraform show` says of the plan. */
type Shown<T> = { readonly kind: 'shown'; readonly content: T } | Exclude<PlanResult, { kind: 'planned' }>;

const NO_TEXT: Shown<undefined> = { kind: 'shown', content: undefined };

function summarise(options: JobOptions, job: Job): Promise<Shown<PlanSummary>> {
  options.onStep?.('read');
  return show(options, job, { as: '-json', to: 'plan.json' }, async (file) => {
    const read = await readPlan(file);
    if (read.kind === 'unreadable') return failed(`the summary of the plan cannot be read: ${read.why}`);
    await options.onPlanJson?.(file);
    return { kind: 'shown', content: read.summary };
  });
}

/** From the plan file: what a plan step prints can come from code of the root as well. */
function describe(options: JobOptions, job: Job): Promise<Shown<PlanText>> {
  return show(options, job, { as: '-no-color', to: 'plan.txt' }, async (file) => {
    return { kind: 'shown', content: await readPlanText(file, options.hideInStream?.()) };
  });
}

/** Four times the JSON that is read: what is too large by less fails with its size. */
const SHOWN_LIMIT_MIB = 256;

/** The JSON holds sensitive values in the clear, so the file is private and is removed once it was read. */
async function show<T>(
  options: JobOptions,
  job: Job,
  { as, to }: { readonly as: '-json' | '-no-color'; readonly to: string },
  read: (file: string) => Promise<Shown<T>>,
): Promise<Shown<T>> {
  const file = path.join(options.folder, to);
  try {
    const argv = [options.binary, 'show', as, options.planFile] as const;
    const shown = await runCommand({
      argv,
      ...judgedCommand(job),
      stdoutFile: { path: file, limitBytes: SHOWN_LIMIT_MIB * 1024 ** 2 },
      ...stopTriggers(options, job),
    });
    const output = createOutputReader(options.hide);
    output.read(Buffer.from(shown.stderr));
    const result = stepResult('read', shown, output);
    if (result.kind === 'stopped' && result.cause === 'output-limit')
      return failed(`expected at most ${SHOWN_LIMIT_MIB} MiB of a plan to show, found more; split the root`);
    return result.kind === 'succeeded' ? await read(file) : ended(result);
  } finally {
    await rm(file, { force: true });
  }
}

function failed(sentence: string): Extract<PlanResult, { kind: 'failed' }> {
  return { kind: 'failed', failure: failureOf(sentence) };
}

function ended(result: Exclude<StepResult, { kind: 'succeeded' }>): Exclude<PlanResult, { kind: 'planned' }> {
  if (result.kind !== 'stopped') return { kind: 'failed', failure: result.failure };
  const { failure, cause, stoppedBy } = result;
  return { kind: 'stopped', failure, cause, stoppedBy };
}
