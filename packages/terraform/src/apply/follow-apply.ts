/** Follows to its end an apply that an earlier worker process began: Terraform outlives the worker that started it. */
import { stat } from 'node:fs/promises';
import {
  attach,
  commandFiles,
  hasErrorCode,
  runningCommands,
  StopRequest,
  type StopTriggers,
} from '@nereid/subprocess';
import { createApplyMarker } from './apply-marker.ts';
import { applyEnd, type ApplyResult } from './apply-result.ts';
import { APPLY_COMMAND } from './apply-root.ts';
import { failureOf } from '../failure/failure.ts';
import type { JobOptions } from '../job/job-options.ts';
import { createOutputReader } from '../job/output/output-reader.ts';
import { stepResult } from '../job/step-result.ts';

export interface FollowOptions
  extends Pick<StopTriggers, 'signal' | 'patience'>, Pick<JobOptions, 'folder' | 'root' | 'log' | 'hide'> {}

/** `not-begun`: Terraform was not asked to apply, and in this folder never will be. */
export type FollowedApply = ApplyResult | { readonly kind: 'not-begun' };

/** Returns the true outcome. The log gets all of Terraform's output again. */
export async function followApply(options: FollowOptions): Promise<FollowedApply> {
  if (await createApplyMarker(options.folder)) return notBegun;
  const output = createOutputReader(options.hide);
  const { folder, root, signal, patience, log } = options;
  const result = await attach({
    folder,
    name: APPLY_COMMAND,
    signal,
    patience,
    timeoutMs: await timeLeft(folder, root.timeoutMs.apply),
    onOutput: (chunk) => {
      output.read(chunk);
      return log(chunk);
    },
  });
  if (result.kind === 'could-not-start') {
    await stopWhatRuns(options);
    return notBegun;
  }
  return withStepsAfter(options, applyEnd(stepResult('apply', result, output)));
}

const notBegun: FollowedApply = { kind: 'not-begun' };

/** The job's time runs on while nobody follows it. An apply that has ended gets no limit, or it would count as timed out. */
async function timeLeft(folder: string, timeoutMs: number): Promise<number | undefined> {
  const ageMs = await ageOf(folder);
  if (ageMs === undefined) return timeoutMs;
  return (await runningCommands(folder)).includes(APPLY_COMMAND) ? Math.max(0, timeoutMs - ageMs) : undefined;
}

/** Undefined before the apply has begun. */
async function ageOf(folder: string): Promise<number | undefined> {
  try {
    const { mtimeMs } = await stat(commandFiles(folder, APPLY_COMMAND).process);
    return Date.now() - mtimeMs;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Stops a step before the apply: the steps after it will never be started. */
async function stopWhatRuns({ folder, patience }: FollowOptions): Promise<void> {
  const signal = AbortSignal.abort(new StopRequest('cancelled'));
  const running = await runningCommands(folder);
  await Promise.all(running.map((name) => attach({ folder, name, signal, patience, onOutput: () => undefined })));
}

/** Nobody goes on with the steps after the apply, and it is unknown how far the lost worker came with them. */
function withStepsAfter({ root }: FollowOptions, end: ApplyResult): ApplyResult {
  const { apply } = root.steps;
  const after = apply.slice(apply.findIndex(({ kind }) => kind === 'apply') + 1);
  if (end.kind !== 'applied' || after.length === 0) return end;
  const count = after.length === 1 ? 'the step that follows' : `the ${after.length} steps that follow`;
  const summary = `Terraform applied the plan, but the worker was lost and ${count} may not have run`;
  return { kind: 'failed', failure: failureOf(summary) };
}
