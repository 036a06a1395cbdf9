import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Failure } from '@nereid/domain/host';
import { runCommand, stopCauseOf, type StopCause, type StoppedBy } from '@nereid/subprocess';
import { failureOf } from '../failure/failure.ts';
import type { JobOptions } from '../job/job-options.ts';
import type { Job } from '../job/job.ts';
import { judgedCommand } from '../job/judged-command.ts';
import { createOutputReader } from '../job/output/output-reader.ts';
import { stepResult, type StepResult } from '../job/step-result.ts';
import { stopTriggers } from '../job/stop-triggers.ts';
import { sentenceOfStoppedReading } from '../job/stop-sentence.ts';

/** The plan as `terraform show` describes it. */
export type Shown<T> = { readonly kind: 'shown'; readonly content: T } | NotShown;

/** An end without a plan. */
export type NotShown =
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly failure: Failure; readonly cause: StopCause; readonly stoppedBy: StoppedBy };

/** Four times the JSON that is read: what is too large by less fails with its size. */
const SHOWN_LIMIT_MIB = 256;

interface Showing<T> {
  readonly as: '-json' | '-no-color';
  /** The name of the file in the job's folder. */
  readonly to: string;
  /** Reads the file within the rest of the job's time. Its signal aborts when that is over, or when the job is stopped. */
  readonly read: (file: string, signal: AbortSignal) => Promise<Shown<T>>;
}

/** The JSON holds sensitive values in the clear, so the file is private and is removed once it was read. */
export async function showPlan<T>(options: JobOptions, job: Job, { as, to, read }: Showing<T>): Promise<Shown<T>> {
  const file = path.join(options.folder, to);
  try {
    const argv = [options.binary, 'show', as, options.planFile] as const;
    const shown = await runCommand({
      argv,
      // Meanwhile, others may read what planning left in the tree.
      ...judgedCommand(job, { unchanged: [await realpath(options.treeDir)] }),
      stdoutFile: { path: file, limitBytes: SHOWN_LIMIT_MIB * 1024 ** 2 },
      ...stopTriggers(options, job),
    });
    const output = createOutputReader(options.hide);
    output.read(Buffer.from(shown.stderr));
    const result = stepResult('read', shown, output);
    if (result.kind === 'stopped' && result.cause === 'output-limit')
      return failed(`expected at most ${SHOWN_LIMIT_MIB} MiB of a plan to show, found more; split the root`);
    return result.kind === 'succeeded' ? await readInTime(options, job, (signal) => read(file, signal)) : ended(result);
  } finally {
    await rm(file, { force: true });
  }
}

async function readInTime<T>(
  { signal }: JobOptions,
  job: Job,
  read: (signal: AbortSignal) => Promise<Shown<T>>,
): Promise<Shown<T>> {
  const inTime = AbortSignal.any([AbortSignal.timeout(Math.ceil(job.remainingMs())), ...(signal ? [signal] : [])]);
  try {
    return await read(inTime);
  } catch (error) {
    if (!inTime.aborted) throw error;
    const cause = stopCauseOf(inTime);
    return { kind: 'stopped', failure: failureOf(sentenceOfStoppedReading(cause)), cause, stoppedBy: 'before-start' };
  }
}

export function failed(sentence: string): NotShown {
  return { kind: 'failed', failure: failureOf(sentence) };
}

export function ended(result: Exclude<StepResult, { kind: 'succeeded' }>): NotShown {
  if (result.kind !== 'stopped') return { kind: 'failed', failure: result.failure };
  const { failure, cause, stoppedBy } = result;
  return { kind: 'stopped', failure, cause, stoppedBy };
}
