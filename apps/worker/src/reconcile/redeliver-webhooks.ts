/** Forges do not send a webhook again by themselves. */
import type { Deliveries, FailedDelivery } from '@nereid/forge';
import type { WorkerContext } from '../platform/context.ts';

/** Covers a night and a morning without a gateway. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1_000;

/** The forge sends each webhook immediately; the gateway takes a hundred a second. */
const AT_ONCE_LIMIT = 100;

/** Returns a sentence for each webhook that is sent again. */
export async function redeliverWebhooks(
  { deliveries, logger }: { readonly deliveries: Deliveries } & Pick<WorkerContext, 'logger'>,
  nowMs: number,
): Promise<readonly string[]> {
  const failed = await deliveries.failedSince(new Date(nowMs - LOOK_BACK_MS).toISOString());
  const due = failed.filter((delivery) => isDue(delivery, nowMs)).slice(0, AT_ONCE_LIMIT);
  const sent: string[] = [];
  for (const { id, guid, event } of due) {
    if (!(await deliveries.redeliver(id))) continue;
    logger.info({ delivery: guid, event }, 'a webhook that reached nobody is sent again');
    sent.push(`sent again: ${event} ${guid}`);
  }
  return sent;
}

/** Due at once, then whenever its age has doubled: a webhook that is refused for good is sent some eight times a day. */
export function isDue({ firstAt, lastAt }: Pick<FailedDelivery, 'firstAt' | 'lastAt'>, nowMs: number): boolean {
  return nowMs - Date.parse(lastAt) >= Date.parse(lastAt) - Date.parse(firstAt);
}
