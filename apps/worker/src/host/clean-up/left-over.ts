/** Finds commands that deployments left running on this host: a detached command outlives its worker. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { isUuid } from '@nereid/domain/host';
import { attach, hasErrorCode, runningCommands, StopRequest } from '@nereid/subprocess';
import { jobFoldersIn } from '../job/workspace.ts';

/** The deployments in the work folder, of any host. */
export async function deploymentsIn(workDir: string): Promise<readonly string[]> {
  return (await namesIn(workDir)).filter(isUuid);
}

/** The names of the deployment's commands that still run. */
export async function commandsOf(workDir: string, deploymentId: string): Promise<readonly string[]> {
  return (await leftOversOf(workDir, deploymentId)).map(({ name }) => name);
}

/**
 * Stops the commands of the deployment that a lost worker left running, and awaits their ends. They have the tree that is about
 * to be changed, and nobody waits for their outcome. Not for an apply that began.
 */
export async function stopLeftOvers(workDir: string, deploymentId: string): Promise<void> {
  const signal = AbortSignal.abort(new StopRequest('cancelled'));
  const leftOvers = await leftOversOf(workDir, deploymentId);
  await Promise.all(leftOvers.map((command) => attach({ ...command, signal, onOutput: () => undefined })));
}

/** Throws, retryably, while a command of the deployment runs: its working tree must not be removed under it. */
export async function assertNothingRuns(workDir: string, deploymentId: string): Promise<void> {
  const running = await commandsOf(workDir, deploymentId);
  if (running.length === 0) return;
  throw ApplicationFailure.retryable(`${running.join(', ')} of deployment ${deploymentId} still runs`, 'STILL_RUNNING');
}

interface LeftOver {
  /** That of its job. */
  readonly folder: string;
  readonly name: string;
}

async function leftOversOf(workDir: string, deploymentId: string): Promise<readonly LeftOver[]> {
  const folder = jobFoldersIn(workDir, deploymentId);
  const jobs = (await namesIn(folder)).map((name) => join(folder, name));
  const leftOvers = jobs.map(async (folder) => (await runningCommands(folder)).map((name) => ({ folder, name })));
  return (await Promise.all(leftOvers)).flat();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
