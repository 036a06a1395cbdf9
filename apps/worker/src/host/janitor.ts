/**
 * What deployments left on this host's disk although they are over: their clean-up found nobody, because the worker had
 * died. A deployment whose command still runs is left alone, whatever Temporal says of it.
 */
import type { CleanUps } from './clean-ups.ts';
import { deploymentsIn } from './left-over.ts';
import type { HostContext } from './tools.ts';

export interface Janitor {
  readonly context: Pick<HostContext, 'logger' | 'keptPlans'> & {
    readonly config: Pick<HostContext['config'], 'workDir'>;
  };
  readonly cleanUps: Pick<CleanUps, 'cleanUp'>;
  /** Whether the deployment's workflow runs no more. Throws when that cannot be told: then nothing is touched. */
  readonly isOver: (deploymentId: string) => Promise<boolean>;
}

/** A round is seconds' work; the next one takes the rest. */
const FOLDERS_LIMIT = 200;

/** One round. Answers the deployments that were cleaned up. */
export async function tidy({ context, cleanUps, isOver }: Janitor): Promise<readonly string[]> {
  const { logger, keptPlans, config } = context;
  const cleaned: string[] = [];
  for (const deploymentId of (await deploymentsIn(config.workDir)).slice(0, FOLDERS_LIMIT)) {
    try {
      if (!(await isOver(deploymentId))) continue;
      await cleanUps.cleanUp(deploymentId);
      await keptPlans.remove(deploymentId);
      cleaned.push(deploymentId);
    } catch (error) {
      logger.info({ err: error, deployment: deploymentId }, 'what a deployment left cannot be removed now');
    }
  }
  if (cleaned.length > 0) logger.info({ deployments: cleaned }, 'removed what deployments had left');
  return cleaned;
}
