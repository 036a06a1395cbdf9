/** Anybody who reaches Temporal can ask for tokens: there are some only for what intake ordered and what has not ended. */
import { hasEnded, orderKind, type ForceUnlockOrder, type Order } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import type { ReadTokenRequest } from '@nereid/domain/tokens';
import type { Proven } from '@nereid/signature';
import type { Signatures } from '../keys/signatures.ts';
import type { ControlRecords } from '../storage/storage.ts';
import { DeploymentEndedError } from '../failures/deployment-ended.ts';
import { refuseExpired } from '../failures/order-expired.ts';

export interface OrderedContext extends Pick<ControlRecords, 'deploymentRecords' | 'pullRequestRecords'> {
  readonly signatures: Signatures;
}

/** Throws a `ForgedError`, an `OrderExpiredError` or a `DeploymentEndedError`. */
export async function openOrdered(
  context: OrderedContext,
  { order: signed }: ReadTokenRequest,
): Promise<Proven<Order | ForceUnlockOrder>> {
  const { signatures } = context;
  const order = isUnlocking(signed)
    ? await signatures.open('order/force-unlock', signed, {})
    : await signatures.open(orderKind(signed.body), signed, {});
  refuseExpired(order.body);
  if (await isOver(context, order.body)) throw new DeploymentEndedError(order.body.id);
  return order;
}

/** As it says: it opens as nothing else. */
function isUnlocking(signed: Signed<Order | ForceUnlockOrder>): signed is Signed<ForceUnlockOrder> {
  return 'unlocking' in signed.body;
}

/** A preview without a record was never ordered here, or long ago. */
async function isOver(
  { deploymentRecords, pullRequestRecords }: OrderedContext,
  order: Order | ForceUnlockOrder,
): Promise<boolean> {
  const { repository, root, id, preview } = order;
  if ('unlocking' in order) return false;
  if (preview === undefined) return (await deploymentRecords.find(repository, root.name, id)) !== undefined;
  const record = await pullRequestRecords.readPreview(repository, root.name, id);
  return record === undefined || hasEnded(record.deployment.progress.status);
}
