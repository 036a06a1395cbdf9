/**
 * The worker of the claim queue polls only while a slot is free and the host does not drain. So claims that no host can
 * serve wait in Temporal's queue, and the first host with a free slot gets the next one. Work that waits on this host gets
 * each free slot before a claim could.
 *
 * A permit is leave to poll, nothing more. While a poll holds its permit, the slot may be taken and a claim can still be
 * delivered: the claim itself takes the slot, and declines when there is none.
 */
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from '@temporalio/worker';
import type { Slots } from './slots.ts';

export function createClaimPermits(slots: Pick<Slots, 'usage' | 'onFreed'>): CustomSlotSupplier<ActivitySlotInfo> {
  /** In the order of their arrival. */
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
            // The SDK aborts only requests without an answer, so a permit that was given meanwhile never reached it.
            if (!waiting.delete(grant)) takeBack();
            // An AbortError, the only error that the SDK expects.
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
