/** Removes what operators asked of hosts that are gone for good. */
import type { WorkerContext } from '../platform/context.ts';

type Records = Pick<WorkerContext, 'hostRecords' | 'drainRecords' | 'logger'>;

/** Longer than any maintenance: a host that comes back by then still starts drained. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;

export async function forgetDrains({ hostRecords, drainRecords, logger }: Records, nowMs: number): Promise<void> {
  const asked = await drainRecords.list((err) => {
    logger.warn({ err }, 'what operators ask of a host cannot be read');
  });
  for (const { hostId, at } of asked) {
    if (nowMs - Date.parse(at) < FORGOTTEN_AFTER_MS) continue;
    if ((await hostRecords.read(hostId)) === undefined) await drainRecords.remove(hostId);
  }
}
