/**
 * When the worker of the claim queue polls: only while a slot is free and the host does not drain. So claims that no host
 * can serve wait in Temporal's queue, and the first host with a free slot gets the next one. While work waits on this host,
 * no slot is free: it gets each before a claim could.
 *
 * A permit is leave to poll, nothing more. A poll holds it until it ends, the slot may be taken meanwhile, and a claim can
 * still be delivered: the slot is taken inside the claim, which declines when there is none.
 */
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from '@temporalio/worker';
import type { Slots } from './slots.ts';

export function createClaimPermits(slots: Pick<Slots, 'usage' | 'onFreed'>): CustomSlotSupplier<ActivitySlotInfo> {
  /** In the order they came. */
  const waiting = new Set<() => void>();
  let given = 0;

  const isFree = () => {
    const { draining, total, used } = slots.usage();
    return !draining && given < total - used;
  };
  const give = (): SlotPermit => {
    given += 1;
    return {};
  };
  const takeBack = () => {
    given -= 1;
    grantAll();
  };
  const grantAll = () => {
    for (const grant of waiting) {
      if (!isFree()) return;
      grant();
    }
  };
  slots.onFreed(grantAll);

  return {
    type: 'custom',
    reserveSlot: (_context, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const grant = () => {
          waiting.delete(grant);
          resolve(give());
        };
        signal.addEventListener(
          'abort',
          () => {
            // The SDK aborts only what it got no answer to: a permit that was given meanwhile never reached it.
            if (!waiting.delete(grant)) takeBack();
            // An AbortError, the only one that the SDK expects.
            reject(signal.reason as Error);
          },
          { once: true },
        );
        waiting.add(grant);
        grantAll();
      }),
    tryReserveSlot: () => (isFree() ? give() : null),
    markSlotUsed: () => undefined,
    releaseSlot: takeBack,
  };
}
