/**
 * Leave to run Terraform on this host: a fixed number of slots.
 *
 * A claim takes one for a deployment; the plan gives it back before the gate, and the apply takes one again. A slot on
 * which nothing of its deployment ran for a while is freed: its claim's answer was lost.
 */
export interface Slots {
  /** Takes a slot for the deployment, or keeps the one it has. Waits for a free one; false when none came in time. */
  take(deploymentId: string, waitMs: number): Promise<boolean>;
  /**
   * Work of the deployment begins: the clock does not free its slot any more, and where it has none it gets one beyond
   * the total. What is answered ends the work, and with the last of it gives the slot back, unless a newer claim has it.
   */
  use(deploymentId: string): () => void;
  /** Gives back the slot of a deployment on which nothing works. */
  release(deploymentId: string): void;
  /** No slot is given any more. */
  drain(): void;
  /** The total may have changed: whoever waits looks again. */
  recount(): void;
  usage(): SlotUsage;
  /** Calls whenever a slot may have become free, until the answer is called. */
  onFreed(listener: () => void): () => void;
}

export interface SlotUsage {
  readonly total: number;
  readonly used: number;
  readonly draining: boolean;
}

/** A workflow that got its claim schedules its work within a second; six minutes is past every timeout in between. */
export const UNUSED_SLOT_MS = 6 * 60_000;

interface HeldSlot {
  /** How many activities, or left-over commands, work on it. */
  works: number;
  /** Of a claim whose work has not begun. */
  clock: NodeJS.Timeout | undefined;
}

export function createSlots(total: () => number, unusedMs = UNUSED_SLOT_MS): Slots {
  const held = new Map<string, HeldSlot>();
  const waiting: (() => void)[] = [];
  const listeners = new Set<() => void>();
  let draining = false;

  const isFree = () => !draining && held.size < total();

  return {
    async take(deploymentId, waitMs) {
      const deadline = Date.now() + waitMs;
      // Another attempt of the same claim may be first.
      while (!held.has(deploymentId) && !isFree()) {
        const remaining = deadline - Date.now();
        if (draining || remaining <= 0) return false;
        await released(waiting, remaining);
      }
      const isNew = !held.has(deploymentId);
      claim(deploymentId);
      // The slot that woke us is somebody else's.
      if (!isNew && isFree()) waiting.shift()?.();
      return true;
    },
    use(deploymentId) {
      const slot = held.get(deploymentId) ?? { works: 0, clock: undefined };
      stopClock(slot);
      slot.works += 1;
      held.set(deploymentId, slot);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        slot.works -= 1;
        freeUnlessWanted(deploymentId, slot);
      };
    },
    release(deploymentId) {
      const slot = held.get(deploymentId);
      if (slot === undefined) return;
      stopClock(slot);
      freeUnlessWanted(deploymentId, slot);
    },
    drain() {
      draining = true;
      for (const wake of waiting.splice(0)) wake();
    },
    recount() {
      for (const wake of waiting.splice(0)) wake();
      tell();
    },
    usage: () => ({ total: total(), used: held.size, draining }),
    onFreed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  /** A claim while older work of the deployment still ends keeps the slot for the work to come. */
  function claim(deploymentId: string): void {
    const slot = held.get(deploymentId) ?? { works: 0, clock: undefined };
    stopClock(slot);
    slot.clock = setTimeout(() => {
      slot.clock = undefined;
      freeUnlessWanted(deploymentId, slot);
    }, unusedMs).unref();
    held.set(deploymentId, slot);
  }

  function freeUnlessWanted(deploymentId: string, slot: HeldSlot): void {
    if (slot.works > 0 || slot.clock !== undefined) return;
    held.delete(deploymentId);
    waiting.shift()?.();
    tell();
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }
}

function stopClock(slot: HeldSlot): void {
  clearTimeout(slot.clock);
  slot.clock = undefined;
}

/** Resolves when a slot was released, or after `waitMs`. */
async function released(waiting: (() => void)[], waitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      const index = waiting.indexOf(wake);
      if (index !== -1) waiting.splice(index, 1);
      resolve();
    }, waitMs);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(wake);
  });
}
