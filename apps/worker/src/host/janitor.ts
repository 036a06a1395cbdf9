/**
 * What deployments left on this host's disk although they are over: their clean-up found nobody, because the worker had
 * died. A deployment whose command still runs is left alone, whatever Temporal says of it. Where nobody knew how its apply
 * ended, that is told first: afterwards nobody could.
 */
import type { ApplyOutcome, HostJob } from '@nereid/contracts';
import type { CleanUps } from './clean-ups.ts';
import type { EndedDeployments } from './late-outcome/ended-deployments.ts';
import { lateOutcomeSentence } from './late-outcome/late-outcome-sentence.ts';
import { deploymentsIn } from './left-over.ts';
import type { HostContext } from './tools.ts';

export interface Janitor {
  readonly context: Pick<HostContext, 'logger' | 'keptPlans' | 'hostId'> & {
    readonly config: Pick<HostContext['config'], 'workDir'>;
  };
  readonly cleanUps: Pick<CleanUps, 'cleanUp'>;
  /** What cannot be told of a deployment, or to it, leaves it untouched until the next round. */
  readonly ended: EndedDeployments;
  /** What became of an apply that a former worker began here. */
  readonly inspect: (job: HostJob) => Promise<ApplyOutcome>;
}

/** A round is seconds' work; the next one takes the rest. */
const FOLDERS_LIMIT = 200;

/** One round. Answers the deployments that were cleaned up. */
export async function tidy(janitor: Janitor): Promise<readonly string[]> {
  const { context, cleanUps, ended } = janitor;
  const { logger, keptPlans, config } = context;
  const cleaned: string[] = [];
  for (const deploymentId of (await deploymentsIn(config.workDir)).slice(0, FOLDERS_LIMIT)) {
    try {
      if (!(await ended.isOver(deploymentId))) continue;
      await cleanUps.cleanUp(deploymentId, () => tellLateOutcome(janitor, deploymentId));
      await keptPlans.remove(deploymentId);
      cleaned.push(deploymentId);
    } catch (error) {
      logger.info({ err: error, deployment: deploymentId }, 'what a deployment left cannot be removed now');
    }
  }
  if (cleaned.length > 0) logger.info({ deployments: cleaned }, 'removed what deployments had left');
  return cleaned;
}

/** Of an apply that was this host's. */
async function tellLateOutcome({ context, ended, inspect }: Janitor, deploymentId: string): Promise<void> {
  const unknown = await ended.findUnknownApply(deploymentId);
  if (unknown?.hostId !== context.hostId) return;
  const { jobId, repository, root } = unknown.job;
  const sentence = lateOutcomeSentence(context.hostId, await inspect(unknown.job));
  await ended.tell(jobId, { kind: 'late-outcome', repository, rootName: root.name, deploymentId, sentence });
  context.logger.info({ deployment: deploymentId, job: jobId, sentence }, 'told what became of a left-over apply');
}
