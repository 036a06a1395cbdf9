import { dayOfKey } from '../days/day-keys.ts';
import type { ObjectStore, StampedKey } from '../objects/object-store.ts';
import { createTally, isOld, type Sweep, type Swept, type Tally } from './sweep.ts';

/** The lists of days: of ended deployments, and of events of the audit trail. */
const DAY_LOGS = ['audit', 'ended'] as const;

const DAY_MS = 24 * 3_600_000;

/**
 * Removes whole days of these lists. Single objects are those of entries that came late, or of days that nobody packed. What is
 * owed to the audit trail is no day, and stays.
 */
export async function sweepDays(store: ObjectStore, sweep: Sweep): Promise<Swept> {
  const tally = createTally(sweep);
  for (const name of DAY_LOGS) {
    await sweepList(store, `${name}/`, { tally, beforeMs: sweep.beforeMs, dayOf: (key) => dayOfKey(name, key) });
    const packed = `${name}-packed/`;
    await sweepList(store, packed, { tally, beforeMs: sweep.beforeMs, dayOf: (key) => dayOfPacked(packed, key) });
  }
  // What was removed is not listed again, so the next call begins with the first list.
  return tally.swept(tally.isFull() ? DAY_LOGS[0] : undefined);
}

interface ListSweep {
  readonly tally: Tally;
  readonly beforeMs: number;
  readonly dayOf: (key: string) => string | undefined;
}

async function sweepList(store: ObjectStore, prefix: string, { tally, beforeMs, dayOf }: ListSweep): Promise<void> {
  for await (const each of store.listStamped(prefix)) {
    const day = dayOf(each.key);
    if (tally.isFull() || (day !== undefined && endMs(day) > beforeMs)) return;
    tally.looked();
    if (day !== undefined && isOld(each, beforeMs)) await tally.attempt(() => remove(store, each, tally));
  }
}

async function remove(store: ObjectStore, { key }: StampedKey, tally: Tally): Promise<void> {
  await store.delete(key);
  tally.removed();
}

function endMs(day: string): number {
  return Date.parse(day) + DAY_MS;
}

function dayOfPacked(prefix: string, key: string): string | undefined {
  return /^(?<day>\d{4}-\d{2}-\d{2})\.jsonl$/.exec(key.slice(prefix.length))?.groups?.['day'];
}
