/**
 * Leave to run Terraform on this host: a fixed number of slots.
 *
 * A claim takes one for a deployment; the plan gives it back before the gate, and the apply takes one again. A slot on
 * which nothing of its deployment ran for a while is freed: its claim's answer was lost.
 */
export interface Slots {
  /** Takes a slot for the deployment, or keeps the one it has. Waits for a free one; false when none came in time. */
  take(deploymentId: string, waitMs: number): Promise<boolean>;
  /** The deployment's work begins: its slot is not freed by the clock any more. */
  use(deploymentId: string): void;
  release(deploymentId: string): void;
  /** No slot is given any more. */
  drain(): void;
  usage(): { readonly total: number; readonly used: number; readonly draining: boolean };
}

/** A workflow that got its claim schedules its work within a second; six minutes is past every timeout in between. */
export const UNUSED_SLOT_MS = 6 * 60_000;

export function createSlots(total: () => number, unusedMs = UNUSED_SLOT_MS): Slots {
  const held = new Map<string, NodeJS.Timeout | undefined>();
  const waiting: (() => void)[] = [];
  let draining = false;

  const grant = (deploymentId: string) => {
    held.set(deploymentId, setTimeout(() => slots.release(deploymentId), unusedMs).unref());
  };
  const isFree = () => !draining && held.size < total();

  const slots: Slots = {
    async take(deploymentId, waitMs) {
      if (held.has(deploymentId)) return true;
      const deadline = Date.now() + waitMs;
      while (!isFree()) {
        const remaining = deadline - Date.now();
        if (draining || remaining <= 0) return false;
        await released(waiting, remaining);
        // Another attempt of the same claim was first.
        if (held.has(deploymentId)) return true;
      }
      grant(deploymentId);
      return true;
    },
    use(deploymentId) {
      clearTimeout(held.get(deploymentId));
      held.set(deploymentId, undefined);
    },
    release(deploymentId) {
      clearTimeout(held.get(deploymentId));
      held.delete(deploymentId);
      waiting.shift()?.();
    },
    drain() {
      draining = true;
      for (const wake of waiting.splice(0)) wake();
    },
    usage: () => ({ total: total(), used: held.size, draining }),
  };
  return slots;
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
