import { slotsLeft, type SlotUsage, type SlotUse } from './slot-usage.ts';

/**
 * The slots of this host: permission for a fixed number of deployments to run Terraform. A part of them is for previews, which
 * borrow the others while no deployment needs them: deployments always find all but that part.
 *
 * - A claim takes a slot for a deployment. The first work of that deployment confirms the claim; a slot that nothing
 *   confirms is free again within seconds, because the claim's answer may have reached nobody.
 * - Work of a deployment without a slot, or whose slot was freed, waits for one: in order, and before every claim.
 * - The last work of a deployment gives its slot back, unless a newer claim has it.
 * - A deployment that finds no free slot gets a borrowed one at once: the newest preview is interrupted.
 * - Only commands that outlived their worker may exceed the total, because they run in any case.
 */
export interface Slots {
  /** Takes a slot for the deployment, or keeps its slot. False when none is left, or when work waits for the next one. */
  claim(deploymentId: string, use?: SlotUse): boolean;
  /**
   * Begins work of the deployment, on its slot or on the next free one. The returned function ends the work. Undefined when
   * the host drains, or when no slot became free before the signal or within `waitMs`.
   */
  begin(deploymentId: string, wait: SlotWait): Promise<EndWork | undefined>;
  /** Counts work that runs in any case, beyond the total if need be. The returned function ends the work. */
  countRunning(deploymentId: string, use?: SlotUse): EndWork;
  /** Gives back the slot of a deployment that has no work. */
  release(deploymentId: string): void;
  /** Stops giving slots: for good when the worker stops, until `resume` when an operator asked for it. */
  drain(why?: DrainReason): void;
  /** Gives slots again, unless the worker stops. */
  resume(): void;
  /** Call it when the total may have changed: waiting work and claims try again. */
  recount(): void;
  usage(): SlotUsage;
  /** The deployments and previews that hold slots, by id. */
  holders(): readonly string[];
  /** How long a slot has been free that a deployment could have taken, in milliseconds; 0 while there is none. */
  freeForMs(): number;
  /** Calls the listener whenever a slot may have become free for a claim, until the returned function is called. */
  onFreed(listener: () => void): () => void;
  /** Calls the listener when the host begins to drain, for whatever reason. */
  onDrain(listener: () => void): void;
}

export type DrainReason = 'stopping' | 'asked';

interface Work {
  /** For the work of a preview, and only for that: ends it early. It is called when a deployment gets the slot. */
  readonly interrupt?: (() => void) | undefined;
}

export interface SlotWait extends Work {
  readonly signal: AbortSignal;
  /** Default: as long as it takes. */
  readonly waitMs?: number;
}

export type EndWork = () => void;

/**
 * A workflow schedules its work within a second after its claim, on a busy server within a few. Later work waits for a slot,
 * so this time may be short; and each claim whose answer is lost blocks a slot for this long.
 */
export const UNCONFIRMED_SLOT_MS = 15_000;

export interface SlotLimits {
  /** How many slots previews may keep when deployments need them; default: all. */
  readonly previews?: () => number;
}

interface HeldSlot {
  use: SlotUse;
  /** The activities, or left-over commands, that work on it. */
  readonly works: Set<Work>;
  /** Runs while no work has confirmed the claim. */
  clock: NodeJS.Timeout | undefined;
}

interface WaitingWork extends Work {
  readonly deploymentId: string;
  readonly settle: (end: EndWork | undefined) => void;
}

export function createSlots(total: () => number, limits: SlotLimits = {}): Slots {
  const { previews = total } = limits;
  /** In the order in which they were taken. */
  const held = new Map<string, HeldSlot>();
  /** In the order of their arrival. */
  const waiting = new Set<WaitingWork>();
  const listeners = new Set<() => void>();
  const drainListeners = new Set<() => void>();
  const drainedFor = new Set<DrainReason>();
  let freeSince = performance.now();

  const isDraining = () => drainedFor.size > 0;
  const usage = (): SlotUsage => {
    const used = [...held.values()].filter(({ use }) => use === 'preview').length;
    const ofPreviews = { total: Math.min(previews(), total()), used };
    const borrowed = Math.max(0, Math.min(used - ofPreviews.total, interruptible().length));
    return { total: total(), used: held.size, draining: isDraining(), previews: ofPreviews, borrowed };
  };
  const interruptible = () => [...held].filter(([, slot]) => isInterruptible(slot));
  const isFree = (use: SlotUse) => !isDraining() && slotsLeft(usage(), use) > 0;
  const isWantedByWork = () => [...waiting].some((work) => isFree(useOf(work)));
  const canHave = (deploymentId: string, use: SlotUse) => held.has(deploymentId) || (isFree(use) && !isWantedByWork());

  return {
    claim(deploymentId, use = 'deployment') {
      if (!canHave(deploymentId, use)) return false;
      const slot = slotOf(deploymentId, use);
      stopClock(slot);
      // Also while older work of the deployment is ending: the slot is for the work to come.
      slot.clock = setTimeout(() => {
        slot.clock = undefined;
        freeUnlessWanted(deploymentId, slot);
      }, UNCONFIRMED_SLOT_MS).unref();
      return true;
    },
    async begin(deploymentId, wait) {
      const use = useOf(wait);
      if (canHave(deploymentId, use)) return work(deploymentId, use, wait);
      if (isDraining() || wait.signal.aborted) return undefined;
      return waitForSlot(deploymentId, wait);
    },
    countRunning(deploymentId, use = 'deployment') {
      const end = work(deploymentId, use, {});
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
    drain(why = 'stopping') {
      const isNews = !isDraining();
      drainedFor.add(why);
      for (const each of waiting) each.settle(undefined);
      if (isNews) for (const listener of drainListeners) listener();
    },
    resume() {
      if (drainedFor.delete('asked')) recount();
    },
    recount,
    usage,
    holders: () => [...held.keys()],
    freeForMs: () => (isFree('deployment') ? performance.now() - freeSince : 0),
    onFreed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onDrain(listener) {
      drainListeners.add(listener);
    },
  };

  /** The use of its last claim or work counts: a claim only says what it is for, and work was verified. */
  function slotOf(deploymentId: string, use: SlotUse): HeldSlot {
    const slot = held.get(deploymentId) ?? { use, works: new Set<Work>(), clock: undefined };
    slot.use = use;
    held.set(deploymentId, slot);
    if (use === 'deployment') reclaimBorrowed();
    return slot;
  }

  /** For the deployment that has just got a slot. What is interrupted takes a moment to end, and does not count any more. */
  function reclaimBorrowed(): void {
    for (;;) {
      const { total, used, borrowed } = usage();
      const newest = interruptible().at(-1);
      if (used <= total || borrowed === 0 || newest === undefined) return;
      const [id, slot] = newest;
      held.delete(id);
      stopClock(slot);
      for (const { interrupt } of slot.works) interrupt?.();
    }
  }

  function work(deploymentId: string, use: SlotUse, { interrupt }: Work): EndWork {
    const slot = slotOf(deploymentId, use);
    stopClock(slot);
    const own: Work = { interrupt };
    slot.works.add(own);
    return () => {
      if (slot.works.delete(own)) freeUnlessWanted(deploymentId, slot);
    };
  }

  async function waitForSlot(
    deploymentId: string,
    { signal, waitMs, interrupt }: SlotWait,
  ): Promise<EndWork | undefined> {
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
    const entry: WaitingWork = { deploymentId, interrupt, settle };
    waiting.add(entry);
    signal.addEventListener('abort', giveUp);
    return promise;
  }

  function freeUnlessWanted(deploymentId: string, slot: HeldSlot): void {
    if (held.get(deploymentId) !== slot) return;
    if (slot.works.size === 0 && slot.clock === undefined) {
      if (!isFree('deployment')) freeSince = performance.now();
      held.delete(deploymentId);
    }
    // Also with work left: without what cannot be interrupted, the slot may be a borrowed one.
    serveWaiting();
    notifyListeners();
  }

  function serveWaiting(): void {
    for (const each of waiting)
      if (held.has(each.deploymentId) || isFree(useOf(each))) each.settle(work(each.deploymentId, useOf(each), each));
  }

  function recount(): void {
    freeSince = performance.now();
    serveWaiting();
    notifyListeners();
  }

  function notifyListeners(): void {
    for (const listener of listeners) listener();
  }
}

function useOf({ interrupt }: Work): SlotUse {
  return interrupt === undefined ? 'deployment' : 'preview';
}

function isInterruptible({ use, works }: HeldSlot): boolean {
  return use === 'preview' && [...works].every(({ interrupt }) => interrupt !== undefined);
}

function stopClock(slot: HeldSlot): void {
  clearTimeout(slot.clock);
  slot.clock = undefined;
}
