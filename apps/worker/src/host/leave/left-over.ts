/** Finds commands that deployments left running on this host: a detached command outlives its worker. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { hasErrorCode, runningCommands } from '@nereid/subprocess';

/** Folders of deployments and of their jobs are named by their ids, which no file of a repository can be mistaken for. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The deployments in the work folder, of any host. */
export async function deploymentsIn(workDir: string): Promise<readonly string[]> {
  return (await namesIn(workDir)).filter((name) => ID.test(name));
}

/** The names of the deployment's commands that still run. */
export async function commandsOf(workDir: string, deploymentId: string): Promise<readonly string[]> {
  const folder = join(workDir, deploymentId);
  const jobs = (await namesIn(folder)).filter((name) => ID.test(name));
  return (await Promise.all(jobs.map((job) => runningCommands(join(folder, job))))).flat();
}

/** Throws, retryably, while a command of the deployment runs: its working tree must not be removed under it. */
export async function assertNothingRuns(workDir: string, deploymentId: string): Promise<void> {
  const running = await commandsOf(workDir, deploymentId);
  if (running.length === 0) return;
  throw ApplicationFailure.retryable(`${running.join(', ')} of deployment ${deploymentId} still runs`, 'STILL_RUNNING');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
