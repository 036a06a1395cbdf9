import type { Presentation } from '../deployment/presentation.ts';

/**
 * Why a deployment waits. `review` and `lock`: for a person. `host`: for a slot. `lanes`: for deployments of other lanes. `blocked`:
 * for something outside, such as the forge or storage. `gate`: for a window to open, or a stop to end. `record`: the record of its lane cannot be read. `turn`: for another
 * deployment of its lane that is at work.
 */
export const WAIT_REASONS = ['review', 'lock', 'host', 'lanes', 'blocked', 'gate', 'record', 'turn'] as const;

export type WaitReason = (typeof WAIT_REASONS)[number];

/** Why a deployment waits, as its check run says it; undefined of one that is next in its queue, at work or over. */
export function waitReasonOf({ deployment, lock }: Presentation): WaitReason | undefined {
  const { status, reason, waitsFor } = deployment.progress;
  switch (status) {
    case 'queued':
      if (lock !== undefined) return 'lock';
      return reason === undefined ? undefined : 'lanes';
    case 'blocked':
      return waitsFor === 'gate' ? 'gate' : 'blocked';
    case 'awaiting-review':
      return 'review';
    case 'preparing':
    case 'planning':
    case 'applying':
      return waitsFor;
    default:
      return undefined;
  }
}
