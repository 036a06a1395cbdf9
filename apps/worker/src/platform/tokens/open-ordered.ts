/** Anybody who reaches Temporal can ask for tokens: there are some only for what intake ordered and what has not ended. */
import { hasEnded, orderKind, type ForceUnlockOrder, type WaveCheckOrder } from '@nereid/domain/deployment';
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
): Promise<Proven<AnyOrder>> {
  const order = await openAsItSays(context, signed);
  refuseExpired(order.body);
  if (await isOver(context, order.body)) throw new DeploymentEndedError(order.body.id);
  return order;
}

type AnyOrder = ReadTokenRequest['order']['body'];

/** It opens as nothing else. */
async function openAsItSays(
  { signatures }: Pick<OrderedContext, 'signatures'>,
  signed: Signed<AnyOrder>,
): Promise<Proven<AnyOrder>> {
  if (isOf<ForceUnlockOrder>(signed, 'unlocking')) return signatures.open('order/force-unlock', signed, {});
  if (isOf<WaveCheckOrder>(signed, 'checking')) return signatures.open('order/wave-check', signed, {});
  return signatures.open(orderKind(signed.body), signed, {});
}

function isOf<Kind extends AnyOrder>(signed: Signed<AnyOrder>, part: keyof Kind): signed is Signed<Kind> {
  return part in signed.body;
}

/** An order that deploys nothing: it frees a lock, or checks a wave. */
export function deploysNothing(order: AnyOrder): boolean {
  return 'unlocking' in order || 'checking' in order;
}

/** A preview without a record was never ordered here, or long ago. */
async function isOver({ deploymentRecords, pullRequestRecords }: OrderedContext, order: AnyOrder): Promise<boolean> {
  const { repository, root, id, preview } = order;
  if (deploysNothing(order)) return false;
  if (preview === undefined) return (await deploymentRecords.find(repository, root.name, id)) !== undefined;
  const record = await pullRequestRecords.readPreview(repository, root.name, id);
  return record === undefined || hasEnded(record.deployment.progress.status);
}
