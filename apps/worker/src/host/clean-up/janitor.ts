/**
 * Removes the files that ended deployments left on this host's disk because the worker died before their clean-up. A
 * deployment whose command still runs is left alone, whatever Temporal says of it. If nobody knew how its apply ended, the
 * janitor first finds out and reports it, because nobody could afterwards.
 */
import { defined } from '@nereid/domain/defined';
import type { ApplyOutcome, HostJob, LateOutcome } from '@nereid/domain/deployment';
import type { CleanUps } from './clean-ups.ts';
import type { EndedDeployments } from '../outcome/ended-deployments.ts';
import { lateOutcomeSentence } from '../outcome/late-outcome-sentence.ts';
import { deploymentsIn } from './left-over.ts';
import type { HostContext } from '../job/tools.ts';

export interface JanitorTools {
  readonly context: Pick<HostContext, 'logger' | 'hostId' | 'signatures'> & {
    readonly config: Pick<HostContext['config'], 'workDir'>;
    readonly keptPlans: Pick<HostContext['keptPlans'], 'remove'>;
    readonly mirrors: Pick<HostContext['mirrors'], 'borrowerOf'>;
  };
  readonly cleanUps: Pick<CleanUps, 'cleanUp'>;
  /** Finds the outcome of an apply that a former worker began here. */
  readonly inspect: (job: HostJob) => Promise<ApplyOutcome>;
}

export interface Janitor {
  /**
   * One round. Returns the deployments that were cleaned up. A deployment whose state cannot be found out, or whose outcome
   * cannot be reported, stays untouched until a later round.
   */
  tidy(ended: EndedDeployments): Promise<readonly string[]>;
}

/** A round takes seconds. The next one goes on where it stopped, so that folders that must stay do not block others. */
const FOLDERS_LIMIT = 200;

export function createJanitor(tools: JanitorTools): Janitor {
  const { config, logger } = tools.context;
  /** The last folder of the previous round. */
  let last = '';
  return {
    async tidy(ended) {
      const cleaned: string[] = [];
      for (const deploymentId of nextAfter(last, await deploymentsIn(config.workDir))) {
        last = deploymentId;
        try {
          if (await cleanUpIfOver(tools, ended, deploymentId)) cleaned.push(deploymentId);
        } catch (error) {
          logger.info({ err: error, deployment: deploymentId }, 'files that a deployment left cannot be removed now');
        }
      }
      if (cleaned.length > 0) logger.info({ deployments: cleaned }, 'removed the files that deployments had left');
      return cleaned;
    },
  };
}

/** The deployments of one round. After the last folder it starts again from the first. */
function nextAfter(last: string, deployments: readonly string[]): readonly string[] {
  const sorted = deployments.toSorted();
  const next = sorted.findIndex((id) => id > last);
  const inTurn = next === -1 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
  return inTurn.slice(0, FOLDERS_LIMIT);
}

/** False while the deployment goes on. */
async function cleanUpIfOver(tools: JanitorTools, ended: EndedDeployments, deploymentId: string): Promise<boolean> {
  const { keptPlans, mirrors } = tools.context;
  // It goes with the folder of the deployment that has borrowed it.
  if ((await mirrors.borrowerOf(deploymentId)) !== undefined) return false;
  if (!(await ended.isOver(deploymentId))) return false;
  await tools.cleanUps.cleanUp(deploymentId, () => reportLateOutcome(tools, ended, deploymentId));
  await keptPlans.remove(deploymentId);
  return true;
}

/** Only for an apply of this host. */
async function reportLateOutcome(
  { context, inspect }: JanitorTools,
  ended: EndedDeployments,
  deploymentId: string,
): Promise<void> {
  const unknown = await ended.findUnknownApply(deploymentId);
  if (unknown?.hostId !== context.hostId) return;
  const { jobId, order } = unknown.job;
  const { repository, root } = order.body;
  const sentence = lateOutcomeSentence(context.hostId, await inspect(unknown.job));
  const of = { repository, rootName: root.name, ...defined({ pool: root.pool }) };
  const outcome: LateOutcome = { version: 1, ...of, deploymentId, sentence };
  await ended.report(jobId, await context.signatures.enclose('result/late-outcome', outcome));
  context.logger.info({ deployment: deploymentId, job: jobId, sentence }, 'reported what became of a left-over apply');
}
