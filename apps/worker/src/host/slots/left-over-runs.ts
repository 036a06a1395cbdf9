/**
 * Terraform outlives its worker. When the next worker finds a command of its own deployments running, the deployment takes a
 * slot until the command ends, so that the host never runs more than it has slots for.
 */
import type { Mirrors } from '@nereid/git';
import type { Logger } from 'pino';
import { commandsOf, deploymentsIn } from '../clean-up/left-over.ts';
import type { Slots } from './slots.ts';

export interface LeftOverRuns {
  readonly slots: Pick<Slots, 'countRunning'>;
  readonly workDir: string;
  readonly mirrors: Pick<Mirrors, 'isOwn'>;
  readonly logger: Logger;
  /** For tests. */
  readonly everyMs?: number;
}

/** A slot that is freed a few seconds late hardly delays anybody; a check reads a few small files. */
const LOOKED_EVERY_MS = 5_000;

/** Resolves once the runs are counted. They are watched until they end, also while claims are served. */
export async function countLeftOverRuns({
  slots,
  workDir,
  mirrors,
  logger,
  everyMs = LOOKED_EVERY_MS,
}: LeftOverRuns): Promise<void> {
  const isRunning = async (deploymentId: string) => (await commandsOf(workDir, deploymentId)).length > 0;

  for (const deploymentId of await deploymentsIn(workDir)) {
    try {
      if (!(await mirrors.isOwn(deploymentId)) || !(await isRunning(deploymentId))) continue;
      logger.info({ deployment: deploymentId }, 'a command that a former worker began still runs, and takes a slot');
      watch(deploymentId);
    } catch (error) {
      logger.warn({ err: error, deployment: deploymentId }, 'could not tell whether its commands still run');
    }
  }

  function watch(deploymentId: string): void {
    // Nobody knows whether it is a preview. Until that is known, deployments find the slots that are theirs alone.
    const end = slots.countRunning(deploymentId, 'preview');
    const look = () => {
      setTimeout(() => {
        // There is nothing to wait for in a folder that cannot be read.
        isRunning(deploymentId).then((goesOn) => (goesOn ? look() : end()), end);
      }, everyMs).unref();
    };
    look();
  }
}
