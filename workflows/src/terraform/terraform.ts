/**
 * The terraform workflow: one deployment.
 *
 * It makes a plan, waits for a person's answer, and applies exactly that plan; or it applies a plan that a person confirmed before
 * the merge. A plan that cannot be used any more is made and reviewed again, and the check run says why. Whatever happens, the
 * deployment ends with a named status: the lane and the forge are told at once, storage and the audit trail however long that takes.
 *
 * A deployment is an actor (actor.ts). Its rules are in packages/domain.
 */
import type { TerraformInput } from '@nereid/domain/deployment';
import { laneWorkflowId, type ReturnedEnd } from '@nereid/domain/lane';
import {
  decideDeployment,
  nextDeploymentEffect,
  openDeployment,
  type DeploymentActor,
  type DeploymentEffect,
  type DeploymentEvent,
} from '@nereid/domain/deployment-actor';
import { workflowInfo } from '@temporalio/workflow';
import { createActor } from '../actor.ts';
import { describe } from './description.ts';
import { receiveMessages } from './messages.ts';
import { createBegin } from './perform.ts';

export async function terraform(input: TerraformInput): Promise<ReturnedEnd> {
  const opened = openDeployment(input, Date.now(), isFollowed(input));
  const deployment = createActor<DeploymentActor, DeploymentEvent, DeploymentEffect>(opened, {
    decide: decideDeployment,
    nextEffect: nextDeploymentEffect,
  });
  receiveMessages(deployment);
  // Its waits differ from milliseconds to a week: what would ring early would ring for nothing.
  return deployment.play({ begin: createBegin(deployment.emit), end, describe, earlyMs: 0 });
}

/** Anybody can start one as a child of something else, which tells nobody of its end. */
function isFollowed({ repository, deployment }: TerraformInput): boolean {
  return workflowInfo().parent?.workflowId === laneWorkflowId(repository, deployment.root.name);
}

function end(_deployment: DeploymentActor, effect: DeploymentEffect): Promise<ReturnedEnd> | undefined {
  return effect.kind === 'finish' ? Promise.resolve(effect.result) : undefined;
}
