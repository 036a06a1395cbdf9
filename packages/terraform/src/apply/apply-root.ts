import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Step } from '@nereid/domain/root';
import { hasErrorCode } from '@nereid/subprocess';
import { createApplyMarker, removeApplyMarker } from './apply-marker.ts';
import { applyEnd, type ApplyResult } from './apply-result.ts';
import { digestOf } from '../plan/digest.ts';
import { copyPlan } from '../plan/copy-plan.ts';
import { readStateVersion } from '../state/read-state-version.ts';
import type { Environment } from '../environment.ts';
import { ApplyAlreadyStartedError, ApplyNotBegunError, StepNotStartedError } from '../errors.ts';
import { failureOf } from '../failure/failure.ts';
import type { JobOptions } from '../job/job-options.ts';
import type { Job } from '../job/job.ts';
import { createJob } from '../job/create-job.ts';
import { locateRoot } from '../job/root-dir.ts';
import type { StepResult } from '../job/step-result.ts';
import { presentStateVersion } from '../job/present-state-version.ts';
import { hasStateChanged } from '../state/state-version.ts';

export interface ApplyOptions extends JobOptions {
  /** The SHA-256 of the approved plan, 64 hex digits. */
  readonly digest: string;
  /** The values that `planRoot` returned. */
  readonly envValues: Environment;
  /** For a tree in which the plan was not made: init first, without changing the lock file, then restore what planning made. */
  readonly initFirst?: { readonly restore: () => Promise<void> };
  /** Awaited before the first step; if it throws, nothing has begun. */
  readonly onBegin?: () => Promise<void>;
}

/** The command name of the one apply step, by which `followApply` finds it. */
export const APPLY_COMMAND = 'apply';

/**
 * Runs the apply steps of a root with exactly the approved plan, at most once for each folder. Throws
 * `ApplyAlreadyStartedError` when they ran before, and `ApplyNotBegunError` for any failure before the first step has begun:
 * the same host may then be asked again.
 */
export async function applyRoot(options: ApplyOptions): Promise<ApplyResult> {
  const prepared = await prepare(options).catch(throwNotBegun);
  if (prepared.kind !== 'ready') return prepared;
  await createMarkerOnce(options.folder);
  try {
    if (options.initFirst) await initialise(prepared.job, options, options.initFirst).catch(throwNotBegun);
    if (await isStale(prepared, options).catch(throwNotBegun)) {
      await removeApplyMarker(options.folder);
      return { kind: 'plan-unusable', why: STALE };
    }
    assertWanted(options);
    await options.onBegin?.().catch(throwNotBegun);
    return await runApplySteps(prepared, options.root.steps.apply);
  } catch (error) {
    if (error instanceof ApplyNotBegunError) await removeApplyMarker(options.folder);
    throw error;
  }
}

interface Ready {
  readonly kind: 'ready';
  readonly plan: OwnPlan;
  readonly job: Job;
}

type Prepared = Ready | Extract<ApplyResult, { kind: 'failed' | 'plan-unusable' }>;

async function prepare(options: ApplyOptions): Promise<Prepared> {
  const located = await locateRoot(options.treeDir, options.root.dir);
  if (located.kind === 'not-found') return { kind: 'failed', failure: failureOf(located.why) };
  const { envValues: kept, root } = options;
  const plan = await ownPlan(options);
  const unusable = await plan.whyUnusable();
  if (unusable !== undefined) return { kind: 'plan-unusable', why: unusable };
  const wrong = whyWrong(root.steps.apply);
  if (wrong !== undefined) return { kind: 'failed', failure: failureOf(wrong) };
  const limits = { timeoutMs: root.timeoutMs.apply, planAccess: 'read', kept } as const;
  return { kind: 'ready', plan, job: await createJob({ ...options, planFile: plan.file }, located.rootDir, limits) };
}

async function createMarkerOnce(folder: string): Promise<void> {
  if (!(await createApplyMarker(folder).catch(throwNotBegun))) throw new ApplyAlreadyStartedError(folder);
}

function throwNotBegun(cause: unknown): never {
  throw new ApplyNotBegunError(cause instanceof Error ? cause.message : String(cause), { cause });
}

/** Initialises a tree in which the plan was not made. If that fails, a host with another network, disk or cache may succeed. */
async function initialise(
  job: Job,
  { root }: ApplyOptions,
  { restore }: NonNullable<ApplyOptions['initFirst']>,
): Promise<void> {
  const extraArgs = root.steps.plan.flatMap((step) => (step.kind === 'init' ? step.extraArgs : []));
  const init = { kind: 'init', extraArgs: [...extraArgs, '-lockfile=readonly'] } as const;
  // A command's name is used once, and this host may be asked again.
  const result = await job.run(init, `init-${randomUUID()}`);
  if (result.kind !== 'succeeded') throw new Error(result.failure.summary);
  await restore();
}

/** Nothing has begun, so a request to stop that came meanwhile can still be followed. */
function assertWanted({ signal }: ApplyOptions): void {
  if (signal?.aborted) throwNotBegun(signal.reason);
}

const STALE = 'the state changed since the plan was made';

/**
 * Terraform would refuse the plan. Only what is found here, before anything of the apply has begun, means that nothing was applied:
 * what Terraform prints can come from code of the root. Where neither plan nor backend tells, Terraform refuses, and the apply has failed.
 */
async function isStale({ job, plan }: Ready, options: ApplyOptions): Promise<boolean> {
  const planned = await readStateVersion(plan.file);
  if (planned === undefined) return false;
  return hasStateChanged(planned, await presentStateVersion(options, job));
}

async function runApplySteps({ job, plan }: Ready, steps: readonly Step[]): Promise<ApplyResult> {
  let applied: Extract<ApplyResult, { kind: 'applied' }> | undefined;
  for (const [index, step] of steps.entries()) {
    const unusable = step.kind === 'apply' ? await plan.whyUnusable() : undefined;
    if (unusable !== undefined) return { kind: 'plan-unusable', why: unusable };
    const name = step.kind === 'apply' ? APPLY_COMMAND : `${index + 1}-${step.kind}`;
    const result = await job.run(step, name).catch((error: unknown) => {
      const hasBegun = steps.slice(0, index).some(({ kind }) => kind !== 'env');
      if (error instanceof StepNotStartedError && !hasBegun) return throwNotBegun(error);
      throw error;
    });
    if (step.kind === 'apply') {
      const end = applyEnd(result);
      if (end.kind !== 'applied') return end;
      applied = end;
    } else if (result.kind !== 'succeeded') {
      return failedBeside(result, applied !== undefined);
    }
  }
  return applied ?? { kind: 'failed', failure: failureOf('no apply ran') };
}

/** A step other than the apply failed. A reader must know first whether Terraform had applied by then. */
function failedBeside(result: Exclude<StepResult, { kind: 'succeeded' }>, hasApplied: boolean): ApplyResult {
  const before = hasApplied ? 'Terraform applied the plan, but then: ' : 'Nothing was applied: ';
  const { summary } = failureOf(before + result.failure.summary);
  const failure = { ...result.failure, summary };
  return { kind: 'failed', failure, ...(result.kind === 'stopped' ? { stopped: result.cause } : {}) };
}

/** The copy of the plan that Terraform reads. It is in the job's folder, where code of the root cannot write. */
interface OwnPlan {
  readonly file: string;
  /** Undefined when it is the plan that was approved. */
  whyUnusable(): Promise<string | undefined>;
}

async function ownPlan({ planFile, folder, digest }: ApplyOptions): Promise<OwnPlan> {
  const file = path.join(folder, 'plan');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isThere = await copyPlan(planFile, file).then(() => true, isAbsent);
  return {
    file,
    async whyUnusable() {
      if (!isThere) return 'the plan file is not where it was kept';
      const found = await digestOf(file);
      if (found === digest) return undefined;
      return `expected the plan ${digest.slice(0, 12)}, found another one: ${found.slice(0, 12)}`;
    },
  };
}

function isAbsent(error: unknown): false {
  if (hasErrorCode(error, 'ENOENT')) return false;
  throw error;
}

function whyWrong(steps: readonly Step[]): string | undefined {
  const applies = steps.filter((step) => step.kind === 'apply').length;
  if (applies !== 1) return `expected one apply among the apply steps of this root, found ${applies}`;
  if (steps.some((step) => step.kind === 'plan'))
    return 'expected no plan among the apply steps of this root, found one';
  return undefined;
}
