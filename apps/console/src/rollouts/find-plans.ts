/** The plans of one rollout that wait for a person, each with all that its own page shows of it. */
import type { RolloutDetail } from '@nereid/api';
import { parseLaneName } from '@nereid/domain/console';
import pMap from 'p-map';
import type { DeploymentView } from '../deployments/deployment-view.ts';
import type { WithPlanText } from '../deployments/plan/read-plan-text.ts';
import { findDeployment, type DeploymentSources } from '../deployments/find/find-deployment.ts';

export interface WaitingPlans {
  readonly rollout: RolloutDetail;
  readonly views: readonly DeploymentView[];
  /** The roots whose plans cannot be shown now. */
  readonly unavailable: readonly string[];
  /** How many more wait than are looked at. */
  readonly omitted: number;
}

/** A person answers that many within the minute for which control lets them. */
const LIMIT = 30;

/** Each asks Temporal twice. */
const AT_ONCE = 10;

export interface PlanSources extends DeploymentSources {
  readonly withPlanText: WithPlanText;
}

export async function findPlans(sources: PlanSources, rollout: RolloutDetail): Promise<WaitingPlans> {
  const waiting = rollout.deployments.filter(({ stand }) => stand === 'review');
  const found = await pMap(waiting.slice(0, LIMIT), (one) => find(sources, rollout, one), { concurrency: AT_ONCE });
  return {
    rollout,
    views: found.flatMap((one) => (typeof one === 'object' && one.progress.status === 'awaiting-review' ? [one] : [])),
    unavailable: found.filter((one) => typeof one === 'string'),
    omitted: Math.max(0, waiting.length - LIMIT),
  };
}

/** Undefined when it is gone; the name of its root when nobody knows. */
async function find(
  sources: PlanSources,
  { repository }: RolloutDetail,
  { id, rootName }: RolloutDetail['deployments'][number],
): Promise<DeploymentView | string | undefined> {
  const found = await findDeployment(sources, id, parseLaneName(`${repository}/${rootName}`));
  if (found.kind === 'found') return sources.withPlanText(found.view);
  return found.kind === 'unavailable' ? rootName : undefined;
}
