/**
 * The worker of a queue of claims polls only while a slot is free and the host does not drain. So claims that no host can
 * serve wait in Temporal's queue, and the first host with a free slot gets the next one. Work that waits on this host gets
 * each free slot before a claim could.
 *
 * A permit is permission to poll, nothing more. While a poll holds its permit, the slot may be taken and a claim can still be
 * delivered: the claim itself takes the slot, and declines when there is none. From then on the slot counts, and not the permit,
 * which the SDK holds until the end of the plan.
 *
 * Where deployments find no other slot, one that becomes free is offered to them first. Previews are asked for when none has come
 * for a moment, so that hundreds of them delay the next deployment by one that runs already, and by no other. While previews
 * borrow slots, deployments find those, so that previews follow each other without a pause.
 */
import { DECLINED_CLAIM_MS } from '@nereid/domain/host';
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from '@temporalio/worker';
import { slotsLeft, type SlotUse } from '../slots/slot-usage.ts';
import type { Slots } from '../slots/slots.ts';

/** A deployment that was declined while the slot was taken has come again by then, and Temporal has delivered it. */
const HEAD_START_MS = DECLINED_CLAIM_MS + 100;

export interface ClaimPermits extends CustomSlotSupplier<ActivitySlotInfo> {
  /** Call it once for each claim: when it has taken its slot, or will take none. */
  decided(): void;
}

export function createClaimPermits(slots: Pick<Slots, 'usage' | 'onFreed' | 'freeForMs'>, use: SlotUse): ClaimPermits {
  const headStartMs = use === 'preview' ? HEAD_START_MS : 0;
  /** In the order of their arrival. */
  const waiting = new Set<() => void>();
  /** Permits of polls, and of claims that are not decided yet. */
  let given = 0;
  /** Claims that are decided, and whose permits the SDK still holds. */
  let decided = 0;
  let timer: NodeJS.Timeout | undefined;

  const isFree = () => {
    const usage = slots.usage();
    return !usage.draining && given < slotsLeft(usage, use);
  };
  const headStartLeftMs = () => Math.max(0, headStartMs - slots.freeForMs());
  const give = (): SlotPermit => {
    given += 1;
    return {};
  };
  const release = () => {
    given -= 1;
    grantAll();
  };
  const grantAll = () => {
    clearTimeout(timer);
    for (const grant of waiting) {
      if (!isFree()) return;
      const laterMs = headStartLeftMs();
      if (laterMs > 0) {
        timer = setTimeout(grantAll, laterMs).unref();
        return;
      }
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
            if (!waiting.delete(grant)) release();
            // An AbortError, the only error that the SDK expects.
            reject(signal.reason as Error);
          },
          { once: true },
        );
        waiting.add(grant);
        grantAll();
      }),
    tryReserveSlot: () => (isFree() && headStartLeftMs() === 0 ? give() : null),
    markSlotUsed: () => undefined,
    releaseSlot({ slotInfo }) {
      // Which permit it is does not matter. A claim whose message the SDK could not read was never decided.
      if (slotInfo !== undefined && decided > 0) decided -= 1;
      else release();
    },
    decided() {
      if (given === 0) return;
      decided += 1;
      release();
    },
  };
}
