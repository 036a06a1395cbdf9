import type { Presentation } from '../deployment/presentation.ts';
import type { WaitReason } from '../deployment/wait-reason.ts';
import { waitsOf } from '../gates/waits/waits-of.ts';

/**
 * Why a deployment waits, as its check run says it; undefined of one that is at work or over. A place in the queue is no state. `now` is
 * in epoch milliseconds.
 */
export function waitReasonOf({ deployment, lock }: Presentation, now: number): WaitReason | undefined {
  return waitsOf(deployment, { lock }, now)[0]?.reason;
}
