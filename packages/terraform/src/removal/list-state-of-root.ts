import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Failure } from '@nereid/domain/host';
import type { PlanSummary } from '@nereid/domain/plan';
import { runCommand, type RunOptions } from '@nereid/subprocess';
import { runBeforePlan } from '../job/before-plan.ts';
import { failureOf } from '../failure/failure.ts';
import type { JobOptions } from '../job/job-options.ts';
import type { Job } from '../job/job.ts';
import { judgedCommand } from '../job/judged-command.ts';
import { createOutputReader } from '../job/output/output-reader.ts';
import { variableArguments } from '../job/variables/variables.ts';
import { stepResult, type StepResult } from '../job/step-result.ts';
import { stopTriggers } from '../job/stop-triggers.ts';
import { listedResources } from './listed-resources.ts';
import { presentStateVersion } from '../job/present-state-version.ts';
import { NO_STATE } from '../state/state-version.ts';

export type ListedState =
  | {
      readonly kind: 'listed';
      /** What the state holds, as what is forgotten. */
      readonly summary: PlanSummary;
      /** SHA-256 of the list, 64 hex digits. */
      readonly digest: string;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | Extract<StepResult, { kind: 'stopped' }>;

/** 80,000 addresses of 100 bytes. */
const LIMIT_MIB = 8;

/** The log takes chunks of this size. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Lists the resources in the state of a root, by their addresses: no value is read. The steps before its plan come first. Locks
 * nothing, and throws only failures of the host, as `planRoot` does.
 */
export async function listStateOfRoot(options: JobOptions): Promise<ListedState> {
  const before = await runBeforePlan(options, { timeoutMs: options.root.timeoutMs.plan, planAccess: 'read' });
  if (before.kind === 'ended') return ended(before.result);
  options.onStep?.('state list');
  const file = path.join(options.folder, 'state.txt');
  try {
    const listed = await list(options, before.job, { path: file, limitBytes: LIMIT_MIB * 1024 ** 2 });
    if (listed.kind === 'stopped' && listed.cause === 'output-limit')
      return failed(`expected at most ${LIMIT_MIB} MiB of addresses in the state, found more; split the root`);
    if (listed.kind === 'succeeded') return await readList(options, file);
    const isEmpty = listed.kind === 'failed' && (await holdsNothing(options, before.job));
    return isEmpty ? NOTHING_LISTED : ended(listed);
  } finally {
    await rm(file, { force: true });
  }
}

async function list(
  options: JobOptions,
  job: Job,
  stdoutFile: NonNullable<RunOptions['stdoutFile']>,
): Promise<StepResult> {
  const variables = await variableArguments('state list', options, job.rootDir);
  const listed = await runCommand({
    argv: [options.binary, 'state', 'list', ...variables],
    ...judgedCommand(job),
    stdoutFile,
    ...stopTriggers(options, job),
  });
  const output = createOutputReader(options.hide);
  const said = Buffer.from(listed.stderr);
  output.read(said);
  if (said.length > 0) await options.log(said.subarray(-CHUNK_BYTES));
  return stepResult('state list', listed, output);
}

/** A root that was never applied has no state, of which Terraform cannot list anything. */
async function holdsNothing(options: JobOptions, job: Job): Promise<boolean> {
  return (await presentStateVersion(options, job)) === NO_STATE;
}

const NOTHING_LISTED: ListedState = {
  kind: 'listed',
  summary: listedResources(''),
  digest: createHash('sha256').update('').digest('hex'),
};

async function readList(options: JobOptions, file: string): Promise<ListedState> {
  const listed = await readFile(file);
  for (let at = 0; at < listed.length; at += CHUNK_BYTES) await options.log(listed.subarray(at, at + CHUNK_BYTES));
  // The key of a resource may be a secret.
  const shown = Buffer.from(options.hide?.(listed) ?? listed);
  const digest = createHash('sha256').update(shown).digest('hex');
  return { kind: 'listed', summary: listedResources(shown.toString()), digest };
}

function ended(result: Exclude<StepResult, { kind: 'succeeded' }>): ListedState {
  return result.kind === 'stopped' ? result : { kind: 'failed', failure: result.failure };
}

function failed(sentence: string): ListedState {
  return { kind: 'failed', failure: failureOf(sentence) };
}
