import type { Steps } from '../job/step.ts';
import { slotDeclined } from './slot-declined.ts';
import type { EndWork, Slots, SlotWait } from './slots.ts';

/**
 * Begins work of a deployment on its slot, or on the next free one if the slot of its claim was freed before the work came.
 * Throws, retryably, when it gets none: the host drains, the wait is over, or the work was asked to stop.
 */
export async function beginOnSlot(
  slots: Pick<Slots, 'begin' | 'usage'>,
  deploymentId: string,
  steps: Steps,
  wait: Omit<SlotWait, 'signal'> = {},
): Promise<EndWork> {
  steps.at('waiting for a slot');
  const end = await slots.begin(deploymentId, { signal: steps.signal, ...wait });
  if (end === undefined) throw slotDeclined(slots);
  steps.at('preparing');
  return end;
}
