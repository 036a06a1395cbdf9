/** Shows a deployment in the Temporal UI, on its page and in lists. */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';
import { STATE } from '../search-attributes.ts';
import { detailsOf } from './details.ts';

export function describe(actor: DeploymentActor): void {
  const { progress } = actor;
  setCurrentDetails(detailsOf(actor));
  // Hardly anybody looks for those that have only begun, and each would have one more event.
  if (progress.status === 'preparing' || workflowInfo().typedSearchAttributes.get(STATE) === progress.status) return;
  upsertSearchAttributes([{ key: STATE, value: progress.status }]);
}
