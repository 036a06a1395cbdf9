import { createHash } from 'node:crypto';
import { ORDER_LIFE_MS, orderBody, orderKind, type DeploymentRequest } from '@nereid/domain/deployment';
import { laneWorkflowId, type NewRevision } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';

/**
 * Turns a request into an order: from here on nobody can change it, and nothing is planned or applied without one. Anybody
 * who reaches Temporal can send such a message to a lane, but cannot sign it.
 */
export async function orderDeployment(
  { signatures }: Pick<WorkerContext, 'signatures'>,
  repository: Repository,
  request: NewRevision,
  id = deploymentIdOf(laneWorkflowId(repository, request.root.name), request),
): Promise<NewRevision & { readonly deploymentId: string }> {
  const kind = orderKind(request);
  const { installationId } = repository;
  const ordered = { ...request, installationId, ...(kind === 'order/deploy' && lifeFrom(Date.now())) };
  const order = await signatures.enclose(kind, orderBody(repository, { ...ordered, id }));
  return { ...ordered, deploymentId: id, order: order.signature };
}

function lifeFrom(nowMs: number): Required<Pick<DeploymentRequest, 'orderedAt' | 'expiresAt'>> {
  return { orderedAt: new Date(nowMs).toISOString(), expiresAt: new Date(nowMs + ORDER_LIFE_MS).toISOString() };
}

/**
 * The id of the deployment that a request asks for, a UUID. Each request has its own, and keeps it when it comes again,
 * even to a Temporal that does not remember it.
 */
export function deploymentIdOf(laneId: string, { requestId }: Pick<DeploymentRequest, 'requestId'>): string {
  const hex = createHash('sha256').update(`${laneId}\n${requestId}`).digest('hex');
  // Version 8 of RFC 9562: a format of our own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
