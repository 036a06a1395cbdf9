/**
 * The slots of this host: leave for a fixed number of deployments to run Terraform.
 *
 * - A claim takes a slot for a deployment. The first work of that deployment confirms the claim; a slot that nothing
 *   confirms is free again within seconds, because the claim's answer may have reached nobody.
 * - Work of a deployment without a slot, or whose slot was freed, waits for one: in order, and before every claim.
 * - The last work of a deployment gives its slot back, unless a newer claim has it.
 * - Only commands that outlived their worker may exceed the total, because they run in any case.
 */
export interface Slots {
  /** Takes a slot for the deployment, or keeps its slot. False when none is left, or when work waits for the next one. */
  claim(deploymentId: string): boolean;
  /**
   * Begins work of the deployment, on its slot or on the next free one. The returned function ends the work. Undefined when
   * the host drains, or when no slot became free before the signal or within `waitMs`.
   */
  begin(deploymentId: string, wait: SlotWait): Promise<EndWork | undefined>;
  /** Counts work that runs in any case, beyond the total if need be. The returned function ends the work. */
  countRunning(deploymentId: string): EndWork;
  /** Gives back the slot of a deployment that has no work. */
  release(deploymentId: string): void;
  /** Stops giving slots. */
  drain(): void;
  /** Call it when the total may have changed: waiting work and claims try again. */
  recount(): void;
  usage(): SlotUsage;
  /** Calls the listener whenever a slot may have become free for a claim, until the returned function is called. */
  onFreed(listener: () => void): () => void;
}

export interface SlotWait {
  readonly signal: AbortSignal;
  /** Default: as long as it takes. */
  readonly waitMs?: number;
}

export type EndWork = () => void;

export interface SlotUsage {
  readonly total: number;
  readonly used: number;
  readonly draining: boolean;
}

/**
 * A workflow schedules its work within a second after its claim, on a busy server within a few. Later work waits for a slot,
 * so this time may be short; and each claim whose answer is lost blocks a slot for this long.
 */
export const UNCONFIRMED_SLOT_MS = 15_000;

interface HeldSlot {
  /** How many activities, or left-over commands, work on it. */
  works: number;
  /** Runs while no work has confirmed the claim. */
  clock: NodeJS.Timeout | undefined;
}

interface WaitingWork {
  readonly deploymentId: string;
  readonly settle: (end: EndWork | undefined) => void;
}

export function createSlots(total: () => number, unconfirmedMs = UNCONFIRMED_SLOT_MS): Slots {
  const held = new Map<string, HeldSlot>();
  /** In the order of their arrival. */
  const waiting = new Set<WaitingWork>();
  const listeners = new Set<() => void>();
  let draining = false;

  const isFree = () => !draining && held.size < total();
  const canHave = (deploymentId: string) => held.has(deploymentId) || (isFree() && waiting.size === 0);

  return {
    claim(deploymentId) {
      if (!canHave(deploymentId)) return false;
      const slot = slotOf(deploymentId);
      stopClock(slot);
      // Also while older work of the deployment is ending: the slot is for the work to come.
      slot.clock = setTimeout(() => {
        slot.clock = undefined;
        freeUnlessWanted(deploymentId, slot);
      }, unconfirmedMs).unref();
      return true;
    },
    async begin(deploymentId, wait) {
      if (canHave(deploymentId)) return work(deploymentId);
      if (draining || wait.signal.aborted) return undefined;
      return waitForSlot(deploymentId, wait);
    },
    countRunning(deploymentId) {
      const end = work(deploymentId);
      // The deployment has a slot now, on which its other work may begin.
      serveWaiting();
      return end;
    },
    release(deploymentId) {
      const slot = held.get(deploymentId);
      if (slot === undefined) return;
      stopClock(slot);
      freeUnlessWanted(deploymentId, slot);
    },
    drain() {
      draining = true;
      for (const each of waiting) each.settle(undefined);
    },
    recount() {
      serveWaiting();
      tell();
    },
    usage: () => ({ total: total(), used: held.size, draining }),
    onFreed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function slotOf(deploymentId: string): HeldSlot {
    const slot = held.get(deploymentId) ?? { works: 0, clock: undefined };
    held.set(deploymentId, slot);
    return slot;
  }

  function work(deploymentId: string): EndWork {
    const slot = slotOf(deploymentId);
    stopClock(slot);
    slot.works += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      slot.works -= 1;
      freeUnlessWanted(deploymentId, slot);
    };
  }

  async function waitForSlot(deploymentId: string, { signal, waitMs }: SlotWait): Promise<EndWork | undefined> {
    const { promise, resolve } = Promise.withResolvers<EndWork | undefined>();
    const giveUp = () => {
      settle(undefined);
    };
    const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
    // Leaves the queue at once, before the slot that this work gets or gives up can go to anybody else.
    const settle = (end: EndWork | undefined) => {
      waiting.delete(entry);
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(end);
    };
    const entry: WaitingWork = { deploymentId, settle };
    waiting.add(entry);
    signal.addEventListener('abort', giveUp);
    return promise;
  }

  function freeUnlessWanted(deploymentId: string, slot: HeldSlot): void {
    if (slot.works > 0 || slot.clock !== undefined) return;
    held.delete(deploymentId);
    serveWaiting();
    tell();
  }

  function serveWaiting(): void {
    for (const { deploymentId, settle } of waiting) if (held.has(deploymentId) || isFree()) settle(work(deploymentId));
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }
}

function stopClock(slot: HeldSlot): void {
  clearTimeout(slot.clock);
  slot.clock = undefined;
}
