/**
 * The folder of one deployment on a host's disk, `<WORK_DIR>/<deployment id>/`: the working tree, the plan, its providers,
 * and a folder for each job's output below `jobs`. The path is the same on every host, because a plan remembers it. So a plan that was made and
 * reviewed before the merge is applied in the folder of the preview that made it; only the job's output is in the deployment's own.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PlanDescription } from '@nereid/storage';
import { hasErrorCode, removeTree } from '@nereid/subprocess';
import { LOCK_FILE } from '@nereid/terraform';
import type { HostTools } from './tools.ts';
import type { OpenedApply, OpenedJob } from '../../platform/tokens/opened-job.ts';

export interface Workspace {
  readonly folder: string;
  /** For the output of the job. */
  readonly jobFolder: string;
  readonly treeDir: string;
  readonly rootDir: string;
  readonly planFile: string;
}

/** The deployment that made the plan of the job, by which it is kept, and in whose folder it is applied. */
export function plannerOf(job: OpenedJob | OpenedApply): string {
  const { deploymentId } = job;
  const reviewed = job.reviewed?.review.body;
  const digest = 'go' in job ? job.go.body.digest : undefined;
  return reviewed !== undefined && reviewed.digest === digest ? reviewed.previewId : deploymentId;
}

export function workspaceOf({ context }: Pick<HostTools, 'context'>, job: OpenedJob, treeDir: string): Workspace {
  const { workDir } = context.config;
  const folder = join(workDir, plannerOf(job));
  const jobFolder = jobFolderIn(workDir, job);
  return { folder, jobFolder, treeDir, rootDir: join(treeDir, job.root.dir), planFile: join(folder, 'plan') };
}

/** Below a name that no tree, plan or home has, so that no job's id names one of these. */
export function jobFolderIn(
  workDir: string,
  { deploymentId, jobId }: Pick<OpenedJob, 'deploymentId' | 'jobId'>,
): string {
  return join(jobFoldersIn(workDir, deploymentId), jobId);
}

export function jobFoldersIn(workDir: string, deploymentId: string): string {
  return join(workDir, deploymentId, 'jobs');
}

/** A new one, without what an earlier attempt at the job left. Not for an apply, which begins once. */
export async function makeJobFolder({ jobFolder }: Pick<Workspace, 'jobFolder'>): Promise<void> {
  await removeTree(jobFolder);
  await mkdir(dirname(jobFolder), { recursive: true, mode: 0o700 });
  await mkdir(jobFolder, { mode: 0o700 });
}

/** The conditions under which a plan is made or applied in this workspace. */
export async function describeWorkspace(
  { rootDir }: Workspace,
  { root }: { readonly root: Pick<OpenedJob['root'], 'distribution'> },
  terraformVersion: string,
): Promise<PlanDescription> {
  const path = await realpath(rootDir);
  const lockFileDigest = await digestIfThere(join(path, LOCK_FILE));
  return { path, terraformVersion, distribution: root.distribution, lockFileDigest };
}

/** Four hundred providers take one. Code of the root may have made a file of any size, which nobody would finish to read. */
const LOCK_FILE_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Null when there is none: it is missing, or no regular file. A link is none either, because it may lead to any file of the host, and to
 * some of /proc that have no end. No more is read than the file had when it was opened.
 */
async function digestIfThere(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) return null;
    if (found.size > LOCK_FILE_LIMIT_BYTES) return `of ${found.size} bytes`;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
    return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ELOOP')) return null;
    throw error;
  }
}
