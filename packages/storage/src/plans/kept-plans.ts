import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Distribution } from '@nereid/domain/root';
import type { ObjectStore } from '../objects/object-store.ts';
import { describeEntry, pack, PlanArchiveError, unpack, whyUnpackable, type PlanEntry } from './plan-archive.ts';
import { createPlanKeys, InvalidPlanKeyError, type PlanKeys } from './plan-keys.ts';
import { seal, unseal, UnsealError } from './sealed-stream.ts';

/** Plans that wait for their review, encrypted: `plans/<pool>/<deployment id>`. */
export interface KeptPlansOfPools {
  of(pool: string): KeptPlans;
}

/** Those of one pool. */
export interface KeptPlans {
  /**
   * Keeps a plan and the files that belong to it. Returns `not-movable` when the files beside the plan exceed
   * a limit, or when one cannot be read or is neither a file nor a link (git lists a repository inside the tree as a
   * folder): such a plan cannot move to another host and is made again there. Throws `StorageUnavailableError`.
   */
  keep(deploymentId: string, plan: PlanToKeep): Promise<Keeping>;
  /**
   * Puts the files back where they were, in `folder`; nothing there changes unless the whole plan can be read. Throws
   * `KeptPlanMissingError`, `KeptPlanUnreadableError`, `StorageUnavailableError`. The caller compares the digest with
   * the approved one.
   */
  fetch(deploymentId: string, folder: string): Promise<FetchedPlan>;
  /** Removes the plan; a missing plan is not a failure. */
  remove(deploymentId: string): Promise<void>;
}

export interface PlanToKeep {
  /** Absolute; the paths below are relative to it, without `.` and `..`. */
  readonly folder: string;
  readonly planFile: string;
  /** Absent when the root has no lock file. */
  readonly lockFile?: string;
  /** Files and links that were made while planning: the revision lacks them, or has them otherwise. */
  readonly untracked: readonly string[];
  /** Values of `env` steps: evaluated once, they belong to the deployment. */
  readonly env: Readonly<Record<string, string>>;
  readonly description: PlanDescription;
}

/** The programs and settings that a host must offer to apply the plan. */
export interface PlanDescription {
  /** The directory of the root where the plan was made, absolute and without links. The plan file remembers it. */
  readonly path: string;
  readonly terraformVersion: string;
  readonly distribution: Distribution;
  /** SHA-256, 64 hex digits; null without a lock file. */
  readonly lockFileDigest: string | null;
}

export type Keeping = { readonly kind: 'kept' } | { readonly kind: 'not-movable'; readonly why: string };

export interface FetchedPlan {
  readonly planFile: string;
  /** SHA-256 of the plan file as fetched, 64 hex digits. */
  readonly planDigest: string;
  readonly env: Readonly<Record<string, string>>;
  readonly description: PlanDescription;
}

/** The plan of a deployment cannot be found where it was kept. The deployment is planned and reviewed again. */
export class KeptPlanMissingError extends Error {
  override readonly name = 'KeptPlanMissingError';
  readonly code = 'KEPT_PLAN_MISSING';
  readonly key: string;

  constructor(deploymentId: string, key: string) {
    super(`the plan of deployment ${deploymentId} is not at ${key}: it was removed or never stored; plan again`);
    this.key = key;
  }
}

/** The kept plan was changed or cut off, belongs to another deployment, or its key is gone. */
export class KeptPlanUnreadableError extends Error {
  override readonly name = 'KeptPlanUnreadableError';
  readonly code = 'KEPT_PLAN_UNREADABLE';
  readonly key: string;

  constructor(deploymentId: string, key: string, options: { readonly cause: Error }) {
    super(
      `the plan of deployment ${deploymentId} at ${key} cannot be read: ${options.cause.message}; plan again`,
      options,
    );
    this.key = key;
  }
}

/** Archives from a build step have a few MB. Larger files slow every review down, and planning again is cheaper. */
export const UNTRACKED_LIMIT_BYTES = 50 * 1024 * 1024;

/**
 * `keys` are 32 bytes each; the first encrypts, any decrypts. With undefined, plans can only be removed. Throws
 * `InvalidPlanKeyError`.
 */
export function createKeptPlans(store: ObjectStore, keys: readonly Uint8Array[] | undefined): KeptPlansOfPools {
  const planKeys = keys && createPlanKeys(keys);
  return { of: (pool) => keptPlansOf(store, planKeys, (deploymentId) => `plans/${pool}/${deploymentId}`) };
}

function keptPlansOf(
  store: ObjectStore,
  planKeys: PlanKeys | undefined,
  planKey: (deploymentId: string) => string,
): KeptPlans {
  return {
    async keep(deploymentId, plan) {
      if (planKeys === undefined) throw new InvalidPlanKeyError('none is given');
      const { folder, planFile, lockFile, env, description } = plan;
      const needed = lockFile === undefined ? [planFile] : [planFile, lockFile];
      const untracked = plan.untracked.filter((path) => !needed.includes(path));
      const described = await describeAll(folder, [...needed, ...untracked]);
      if (described.kind === 'not-movable') return described;
      const { entries } = described;
      // The plan has a limit of its own; its lock file may be of any size, since code of the root may have written it.
      const bytes = bytesOf(entries.slice(1));
      if (bytes > UNTRACKED_LIMIT_BYTES) return { kind: 'not-movable', why: whyTooBig(bytes) };
      const contents = { version: 1 as const, planFile, description, env, entries };
      const why = whyUnpackable(contents);
      if (why !== undefined) return { kind: 'not-movable', why };
      await store.putStream(planKey(deploymentId), seal(pack(folder, contents), planKeys, deploymentId));
      return { kind: 'kept' };
    },

    async fetch(deploymentId, folder) {
      if (planKeys === undefined) throw new InvalidPlanKeyError('none is given');
      const key = planKey(deploymentId);
      const sealed = await store.getStream(key);
      if (sealed === undefined) throw new KeptPlanMissingError(deploymentId, key);
      // Inside the folder, so that a rename can put each file in its place.
      const staging = await mkdtemp(join(folder, '.nereid-fetch-'));
      try {
        const { contents, planDigest } = await unpack(unseal(sealed, planKeys, deploymentId), staging, folder);
        const { planFile, env, description } = contents;
        return { planFile, planDigest, env, description };
      } catch (cause) {
        if (!(cause instanceof UnsealError || cause instanceof PlanArchiveError)) throw cause;
        throw new KeptPlanUnreadableError(deploymentId, key, { cause });
      } finally {
        await rm(staging, { recursive: true, force: true });
      }
    },

    remove: (deploymentId) => store.delete(planKey(deploymentId)),
  };
}

type Described =
  { readonly kind: 'described'; readonly entries: PlanEntry[] } | Extract<Keeping, { kind: 'not-movable' }>;

async function describeAll(folder: string, paths: readonly string[]): Promise<Described> {
  const entries: PlanEntry[] = [];
  for (const path of paths) {
    const entry = await describeEntry(folder, path);
    if (entry === undefined)
      return { kind: 'not-movable', why: `${JSON.stringify(path)} is neither a file nor a link of its folder` };
    if (entry.kind === 'file' && (entry.mode & OWNER_READS) === 0)
      return { kind: 'not-movable', why: `${JSON.stringify(path)} is a file that nobody may read` };
    entries.push(entry);
  }
  return { kind: 'described', entries };
}

/** The permission of the user whom a host and the commands of its jobs share. */
const OWNER_READS = 0o400;

function bytesOf(entries: readonly PlanEntry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes : 0), 0);
}

function whyTooBig(bytes: number): string {
  return `the files that belong to the plan have ${bytes} bytes, more than ${UNTRACKED_LIMIT_BYTES}`;
}
