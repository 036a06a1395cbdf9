import type { IntakeResult, OrderedDeployment } from '@nereid/domain/intake';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { deploymentIdOf } from '../../lane/order-deployment.ts';
import { requestIdOf } from '../../rollout/start-rollout.ts';

export interface OrderedFor {
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The request. */
  readonly delivery: string;
  readonly rootNames: readonly string[];
}

/** Names the deployments, so that the person can follow them. The lane of a root that a broken record stops was told nothing. */
export function withDeployments({ repository, delivery, rootNames }: OrderedFor, result: IntakeResult): IntakeResult {
  const deployments = rootNames.flatMap((rootName): readonly OrderedDeployment[] => {
    const lane = laneWorkflowId(repository, rootName);
    const isTold = result.workflows.includes(lane);
    return isTold ? [{ id: deploymentIdOf(lane, { requestId: requestIdOf(delivery, rootName) }), rootName }] : [];
  });
  return deployments.length === 0 ? result : { ...result, deployments };
}
