/**
 * Shows a deployment in the Temporal UI, on its page and in lists. It starts as `planning`. A state that is over within a second is
 * neither on the forge nor in lists: where one lasts, the timer of its check run comes.
 */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';
import { STATE } from '../search-attributes.ts';
import { detailsOf, listedAs } from './details.ts';

export function describe(actor: DeploymentActor): void {
  setCurrentDetails(detailsOf(actor));
  const state = listedAs(actor, Date.now());
  if (state === undefined || workflowInfo().typedSearchAttributes.get(STATE) === state) return;
  upsertSearchAttributes([{ key: STATE, value: state }]);
}
