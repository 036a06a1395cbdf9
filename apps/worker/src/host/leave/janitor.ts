/**
 * What deployments left on this host's disk although they are over: their clean-up found nobody, because the worker had
 * died. A deployment whose command still runs is left alone, whatever Temporal says of it. Where nobody knew how its apply
 * ended, that is told first: afterwards nobody could.
 */
import type { ApplyOutcome, HostJob } from '@nereid/contracts';
import type { CleanUps } from './clean-ups.ts';
import type { EndedDeployments } from '../apply/late-outcome/ended-deployments.ts';
import { lateOutcomeSentence } from '../apply/late-outcome/late-outcome-sentence.ts';
import { deploymentsIn } from './left-over.ts';
import type { HostContext } from '../job/tools.ts';

export interface JanitorTools {
  readonly context: Pick<HostContext, 'logger' | 'hostId'> & {
    readonly config: Pick<HostContext['config'], 'workDir'>;
    readonly keptPlans: Pick<HostContext['keptPlans'], 'remove'>;
  };
  readonly cleanUps: Pick<CleanUps, 'cleanUp'>;
  /** What became of an apply that a former worker began here. */
  readonly inspect: (job: HostJob) => Promise<ApplyOutcome>;
}

export interface Janitor {
  /**
   * One round. Answers the deployments that were cleaned up. What cannot be told of a deployment, or to it, leaves it
   * untouched until a later round.
   */
  tidy(ended: EndedDeployments): Promise<readonly string[]>;
}

/** A round is seconds' work; the next one goes on where it stopped, so that what has to stay keeps no other from going. */
const FOLDERS_LIMIT = 200;

export function createJanitor(tools: JanitorTools): Janitor {
  const { config, logger } = tools.context;
  /** The last folder of the round before. */
  let last = '';
  return {
    async tidy(ended) {
      const cleaned: string[] = [];
      for (const deploymentId of nextAfter(last, await deploymentsIn(config.workDir))) {
        last = deploymentId;
        try {
          if (await cleanUpIfOver(tools, ended, deploymentId)) cleaned.push(deploymentId);
        } catch (error) {
          logger.info({ err: error, deployment: deploymentId }, 'what a deployment left cannot be removed now');
        }
      }
      if (cleaned.length > 0) logger.info({ deployments: cleaned }, 'removed what deployments had left');
      return cleaned;
    },
  };
}

/** Those of one round, and from the beginning again after the last of all. */
function nextAfter(last: string, deployments: readonly string[]): readonly string[] {
  const sorted = deployments.toSorted();
  const next = sorted.findIndex((id) => id > last);
  const inTurn = next === -1 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
  return inTurn.slice(0, FOLDERS_LIMIT);
}

/** False while it goes on. */
async function cleanUpIfOver(tools: JanitorTools, ended: EndedDeployments, deploymentId: string): Promise<boolean> {
  const { keptPlans } = tools.context;
  if (!(await ended.isOver(deploymentId))) return false;
  await tools.cleanUps.cleanUp(deploymentId, () => tellLateOutcome(tools, ended, deploymentId));
  await keptPlans.remove(deploymentId);
  // The marker of its apply stays: where its workflow was ended by force, or is missing from a restored backup, it alone says
  // that the apply began. Whoever records the end removes it.
  return true;
}

/** Of an apply that was this host's. */
async function tellLateOutcome(
  { context, inspect }: JanitorTools,
  ended: EndedDeployments,
  deploymentId: string,
): Promise<void> {
  const unknown = await ended.findUnknownApply(deploymentId);
  if (unknown?.hostId !== context.hostId) return;
  const { jobId, repository, root } = unknown.job;
  const sentence = lateOutcomeSentence(context.hostId, await inspect(unknown.job));
  await ended.tell(jobId, { kind: 'late-outcome', repository, rootName: root.name, deploymentId, sentence });
  context.logger.info({ deployment: deploymentId, job: jobId, sentence }, 'told what became of a left-over apply');
}
