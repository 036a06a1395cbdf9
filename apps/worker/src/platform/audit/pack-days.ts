/** Packs the days of the console's lists that are over, so that a day of the past is read by two requests. */
import type { AuditTrail, EndedDeployments } from '@nereid/storage';

type Packed = Pick<AuditTrail | EndedDeployments, 'daysToPack' | 'pack'>;

/** Clocks of workers differ, and an activity that records an event may be tried again for a while. */
const OVER_FOR_MS = 2 * 3_600_000;

/** With an entry of a kilobyte, some seconds' work; the next round takes the rest. */
const DAYS_LIMIT = 2;
const ENTRIES_LIMIT = 2_000;

/** Another worker may pack the same day: then one of the two fails, and nothing is lost. */
export async function packDays(trails: readonly Packed[], nowMs: number): Promise<void> {
  const before = new Date(nowMs - OVER_FOR_MS).toISOString().slice(0, 10);
  for (const trail of trails) {
    for (const day of await trail.daysToPack({ before, limit: DAYS_LIMIT })) await trail.pack(day, ENTRIES_LIMIT);
  }
}
