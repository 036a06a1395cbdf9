/** Shows a deployment in the Temporal UI, on its page and in lists. */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';
import { describeGate } from '@nereid/domain/gates';
import { STATE } from '../search-attributes.ts';

export function describe({ input, progress, step }: DeploymentActor): void {
  const { root } = input.deployment;
  setCurrentDetails(step.kind === 'review' ? describeGate(root, step.plan, progress.plan?.expiresAt ?? '') : '');
  // Hardly anybody looks for those that have only begun, and each would have one more event.
  if (progress.status === 'preparing' || workflowInfo().typedSearchAttributes.get(STATE) === progress.status) return;
  upsertSearchAttributes([{ key: STATE, value: progress.status }]);
}
