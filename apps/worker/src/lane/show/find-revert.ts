/** What going back would do stands on the check run of a failed apply, from the stored plan: nothing of it goes through Temporal. */
import { setTimeout } from 'node:timers/promises';
import { defined } from '@nereid/domain/defined';
import { mayBeHalfApplied, preparedRevert, revertIdOf, type Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { ShownRevert } from '@nereid/texts';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import type { LinksOf } from './check-run-links.ts';

/** A write of check runs has a minute. A store answers within a second. */
const READ_WITHIN_MS = 3_000;

type RevertContext = OfForge<'pages'> & Pick<WorkerContext, 'pullRequestRecords' | 'laneTurns' | 'logger'>;

/**
 * Undefined when there is nothing to show, or another deployment of the root was applied since. Never throws, and answers in time: no
 * check run waits for storage.
 */
export async function findRevert(
  context: RevertContext,
  repository: Repository,
  deployment: Deployment,
  linksOf: LinksOf,
): Promise<ShownRevert | undefined> {
  const { id, progress } = deployment;
  if (!mayBeHalfApplied(progress)) return undefined;
  try {
    const plan = await Promise.race([
      readPlan(context, repository, deployment),
      setTimeout(READ_WITHIN_MS, undefined, { ref: false }),
    ]);
    const revert = plan && preparedRevert(id, plan);
    const number = plan?.preview?.reverts?.pullRequest;
    const pullRequestUrl = number === undefined ? undefined : context.forge.pages.pullRequest(repository, number);
    return revert && { ...revert, planUrl: linksOf(plan).deploymentUrl, ...defined({ pullRequestUrl }) };
  } catch (error) {
    context.logger.warn({ err: error, deployment: id }, 'the plan to go back cannot be read, so no check run shows it');
    return undefined;
  }
}

async function readPlan(
  { pullRequestRecords, laneTurns }: RevertContext,
  repository: Repository,
  { id, root }: Deployment,
): Promise<Deployment | undefined> {
  const found = await pullRequestRecords.readPreview(repository, root.name, revertIdOf(id));
  if (found === undefined) return undefined;
  const turn = await laneTurns.read(repository, root.name);
  return turn?.last?.deployment.id === id ? found.deployment : undefined;
}
