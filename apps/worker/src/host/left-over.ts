/** What a deployment may have left running on this host: a detached apply outlives its worker. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { hasErrorCode, runningCommands } from '@nereid/subprocess';

/** Folders of jobs are named by their ids; nothing that a repository brings can be taken for one. */
const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws, retryably, while a command of the deployment lives: its working tree must not go from under it. */
export async function assertNothingRuns(workDir: string, deploymentId: string): Promise<void> {
  const folder = join(workDir, deploymentId);
  const jobs = (await foldersIn(folder)).filter((name) => JOB_ID.test(name));
  const running = (await Promise.all(jobs.map((job) => runningCommands(join(folder, job))))).flat();
  if (running.length === 0) return;
  throw ApplicationFailure.retryable(`${running.join(', ')} of deployment ${deploymentId} still runs`, 'STILL_RUNNING');
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
