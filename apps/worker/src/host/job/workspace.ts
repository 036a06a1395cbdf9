/**
 * What a host has of one deployment on its disk: `<WORK_DIR>/<deployment id>/` with the working tree, the plan, its
 * providers, and a folder for each job's output. The same path on every host, because a plan remembers it.
 */
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostJob } from '@nereid/contracts';
import type { PlanDescription } from '@nereid/storage';
import { hasErrorCode } from '@nereid/subprocess';
import { digestOf, LOCK_FILE } from '@nereid/terraform';
import type { HostTools } from './tools.ts';

export interface Workspace {
  readonly folder: string;
  readonly treeDir: string;
  readonly rootDir: string;
  readonly planFile: string;
}

export function workspaceOf({ context }: Pick<HostTools, 'context'>, job: HostJob, treeDir: string): Workspace {
  const folder = join(context.config.workDir, job.deploymentId);
  return { folder, treeDir, rootDir: join(treeDir, job.root.dir), planFile: join(folder, 'plan') };
}

/** What a plan is made with, or would be applied with, in this workspace as it is. */
export async function describeWorkspace(
  { rootDir }: Workspace,
  { root }: { readonly root: Pick<HostJob['root'], 'distribution'> },
  terraformVersion: string,
): Promise<PlanDescription> {
  const path = await realpath(rootDir);
  const lockFileDigest = await digestIfThere(join(path, LOCK_FILE));
  return { path, terraformVersion, distribution: root.distribution, lockFileDigest };
}

/** Null where Terraform would not find one either: none, a link that leads nowhere, or to what is no file. */
async function digestIfThere(file: string): Promise<string | null> {
  try {
    return (await stat(file)).isFile() ? await digestOf(file) : null;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ELOOP')) return null;
    throw error;
  }
}
