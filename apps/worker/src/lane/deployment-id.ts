import { createHash } from 'node:crypto';
import type { DeploymentRequest } from '@nereid/contracts';

/**
 * The id of the deployment that a request asks for, a UUID. Each request has its own, and keeps it when it comes again,
 * even to a Temporal that does not remember it.
 */
export function deploymentIdOf(laneId: string, { requestId }: Pick<DeploymentRequest, 'requestId'>): string {
  const hex = createHash('sha256').update(`${laneId}\n${requestId}`).digest('hex');
  // Version 8 of RFC 9562: a format of our own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
