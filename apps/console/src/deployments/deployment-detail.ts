/** The answer to `GET /api/v1/deployments/:id`. The schema lists the fields, so that a new one is not answered by accident. */
import { DeploymentDetail } from '@nereid/api';
import { describeLock } from '@nereid/domain/lane';
import type { DeploymentView } from './deployment-view.ts';

export function deploymentDetailOf({ lock, ...view }: DeploymentView): DeploymentDetail {
  return DeploymentDetail.parse({ ...view, ...(lock && { lock: { ...lock, sentence: describeLock(lock) } }) });
}
