import {
  hasExpired,
  orderExpiry,
  type ForceUnlockOrder,
  type Order,
  type WaveCheckOrder,
} from '@nereid/domain/deployment';

/** Somebody kept the order, or it waited too long for its turn or for a host. */
export class OrderExpiredError extends Error {
  override readonly name = 'OrderExpiredError';
  readonly code = 'ORDER_EXPIRED';

  constructor(expiresAt: string) {
    super(
      `expected an order that is still good, found one that ended ${expiresAt}: ask again, by Re-run or by another comment`,
    );
  }
}

/** Throws an `OrderExpiredError`. */
export function refuseExpired(order: Order | ForceUnlockOrder | WaveCheckOrder): void {
  if (hasExpired(order, Date.now())) throw new OrderExpiredError(orderExpiry(order));
}
