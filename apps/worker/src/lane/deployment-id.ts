import { createHash } from 'node:crypto';
import type { DeploymentRequest } from '@nereid/contracts';

/**
 * The id of the deployment for which a lane is asked, a UUID: another one for each request, and the same whenever this one comes
 * again, in a Temporal that does not remember it, too.
 */
export function deploymentIdOf(laneId: string, { requestId }: Pick<DeploymentRequest, 'requestId'>): string {
  const hex = createHash('sha256').update(`${laneId}\n${requestId}`).digest('hex');
  // Version 8 of RFC 9562: of our own making.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
