import { workflowInfo } from '@temporalio/workflow';
import type { Deployment, TerraformInput } from '@nereid/contracts';
import type { Lane } from './lane.ts';

/** What the terraform workflow of a deployment starts with: no secrets, no plan text. */
export function terraformInput(lane: Lane, deployment: Deployment, reviewRequired: boolean): TerraformInput {
  const { id, root, revision, trigger, rerun, force, requestedBy, pullRequest } = deployment;
  return {
    deploymentId: id,
    repository: lane.repository,
    root,
    revision,
    trigger,
    rerun,
    force,
    requestedBy,
    ...(pullRequest !== undefined && { pullRequest }),
    reviewRequired,
    laneId: workflowInfo().workflowId,
  };
}
