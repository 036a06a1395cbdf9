/**
 * Deliveries are told apart by their bodies, too: GitHub signs the body, but not the delivery's id beside it, so whoever has a
 * webhook could send it again under a new id. GitHub's own redelivery keeps the id, and is taken again.
 *
 * A body says when the push, the comment or the wait of a job happened, and no two are alike. Two presses of a button may be alike, and both may
 * be meant: the first one may have come too early. So buttons are left to what they ask for: a plan is reviewed once, and a lock
 * that is lifted is lifted. A Re-run does not say when it was pressed either, and a check run stays failed for good: so the body
 * of one that was accepted counts no more. What it began has a check run of its own.
 */
import type { IntakeEvent, IntakeResult, ReceivedEvent } from '@nereid/domain/intake';
import type { WorkerContext } from '../platform/context.ts';
import { nothing } from './results.ts';

type Records = Pick<WorkerContext, 'repositoryRecords'>;

/** The result for a body that another delivery brought before; undefined when this one is to be taken. One request. */
export async function takenBefore({ repositoryRecords: { deliveries } }: Records, received: ReceivedEvent) {
  const { delivery, receivedAt, bodyDigest: digest, event } = received;
  if (digest === undefined) return undefined;
  const at = new Date(happenedAt(event) ?? receivedAt);
  const taker = isUnique(event)
    ? await deliveries.markTaken({ digest, at }, delivery)
    : isRerun(event) && (await deliveries.takerOf({ digest, at: undefined }));
  if (!taker || taker === delivery) return undefined;
  return nothing(`the same webhook was taken before, as the delivery ${taker}`);
}

/** Marks the body of a Re-run that was accepted. */
export async function markAccepted(
  { repositoryRecords: { deliveries } }: Records,
  { delivery, bodyDigest: digest, event }: ReceivedEvent,
  { kind }: IntakeResult,
): Promise<void> {
  if (digest === undefined || !isRerun(event) || kind !== 'signalled') return;
  await deliveries.markTaken({ digest, at: undefined }, delivery);
}

function isRerun({ kind }: IntakeEvent): boolean {
  return kind === 'rerun' || kind === 'rerun-all';
}

/** When it happened, as the forge says; undefined when its webhook does not. */
export function happenedAt(event: IntakeEvent): string | undefined {
  switch (event.kind) {
    case 'push':
      return event.pushedAt;
    case 'comment':
      return event.createdAt;
    case 'protected-run':
      return event.askedAt;
    case 'pull-request':
    case 'merge-group':
    case 'button':
    case 'rerun':
    case 'rerun-all':
    case 'request':
    case 'operator-request':
      return undefined;
  }
}

function isUnique({ kind }: IntakeEvent): boolean {
  return kind === 'push' || kind === 'comment' || kind === 'protected-run';
}

/** An event dies after three days, and clocks may differ. */
const FORGOTTEN_AFTER_MS = 5 * 24 * 3_600_000;

/** Removes the marks of webhooks that would not be taken any more. */
export async function forgetTaken({ repositoryRecords: { deliveries } }: Records, nowMs: number): Promise<void> {
  await deliveries.forget(new Date(nowMs - FORGOTTEN_AFTER_MS));
}
