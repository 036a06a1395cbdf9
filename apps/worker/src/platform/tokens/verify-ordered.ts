/** Whoever reaches Temporal can ask for tokens: there are some only for what intake ordered and what has not ended. */
import { forceUnlockFacts, hasEnded, orderFacts, orderKind } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { ReadTokenRequest } from '@nereid/domain/tokens';
import type { Signatures } from '../keys/signatures.ts';
import type { ControlRecords } from '../storage/storage.ts';
import { DeploymentEndedError } from '../failures/deployment-ended.ts';

export interface OrderedContext extends Pick<ControlRecords, 'deploymentRecords' | 'pullRequestRecords'> {
  readonly signatures: Signatures;
}

/** Throws a `ForgedError` or a `DeploymentEndedError`. */
export async function verifyOrdered(
  { signatures, deploymentRecords, pullRequestRecords }: OrderedContext,
  { repository, ordered, unlocking, order }: ReadTokenRequest,
): Promise<void> {
  const { id: deploymentId, root } = ordered;
  if (unlocking)
    await signatures.verify('force-unlock', forceUnlockFacts({ version: 1, repository, ordered, unlocking }), order);
  else await signatures.verify(orderKind(ordered), orderFacts(repository, ordered), order);
  const isEnded = unlocking
    ? Date.now() > Date.parse(unlocking.expiresAt)
    : ordered.preview
      ? await isOver(pullRequestRecords, repository, root.name, deploymentId)
      : (await deploymentRecords.find(repository, root.name, deploymentId)) !== undefined;
  if (isEnded) throw new DeploymentEndedError(deploymentId);
}

/** A preview without a record was never ordered here, or long ago. */
async function isOver(
  records: OrderedContext['pullRequestRecords'],
  repository: Repository,
  rootName: string,
  id: string,
): Promise<boolean> {
  const record = await records.readPreview(repository, rootName, id);
  return record === undefined || hasEnded(record.deployment.progress.status);
}
