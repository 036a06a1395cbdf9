import { defined } from '@nereid/domain/defined';
import { dayOfKey, dayOfPacked, packedPrefix } from '../days/day-keys.ts';
import type { ObjectStore, StampedKey } from '../objects/object-store.ts';
import { ENDED } from '../records/ended-deployments.ts';
import { TRAIL } from '../trail/audit-trail.ts';
import { createTally, isOld, type Sweep, type Swept, type Tally } from './sweep.ts';

/** The lists of days: of ended deployments, and of events of the audit trail. */
const DAY_LOGS = [TRAIL, ENDED] as const;

const DAY_MS = 24 * 3_600_000;

/**
 * Removes whole days of these lists. Single objects are those of entries that came late, or of days that nobody packed. An event
 * that is owed to the audit trail belongs to no day, and stays.
 */
export async function sweepDays(store: ObjectStore, sweep: Sweep): Promise<Swept> {
  const tally = createTally(sweep);
  const { after } = sweep;
  // A key begins with the prefix of its list, so it tells where the call before stopped.
  const first = LISTS.findIndex(({ prefix }) => after?.startsWith(prefix));
  for (const [index, list] of LISTS.entries()) {
    if (index < first) continue;
    const next = await sweepList(store, list, { tally, sweep, after: index === first ? after : undefined });
    if (next !== undefined) return tally.swept(next);
  }
  return tally.swept();
}

interface List {
  readonly prefix: string;
  readonly dayOf: (key: string) => string | undefined;
}

const LISTS: readonly List[] = DAY_LOGS.flatMap((name) => [
  { prefix: `${name}/`, dayOf: (key) => dayOfKey(name, key) },
  { prefix: packedPrefix(name), dayOf: (key) => dayOfPacked(name, key) },
]);

interface ListSweep {
  readonly tally: Tally;
  readonly sweep: Sweep;
  readonly after: string | undefined;
}

/** Returns the last key that it looked at, where the call has to end before its list does. */
async function sweepList(
  store: ObjectStore,
  { prefix, dayOf }: List,
  { tally, sweep: { beforeMs }, after }: ListSweep,
): Promise<string | undefined> {
  for await (const each of store.listStamped(prefix, defined({ after }))) {
    const day = dayOf(each.key);
    if (day !== undefined && endMs(day) > beforeMs) return undefined;
    tally.looked();
    if (day !== undefined && isOld(each, beforeMs)) await tally.attempt(() => remove(store, each, tally));
    if (tally.isFull()) return each.key;
  }
  return undefined;
}

async function remove(store: ObjectStore, { key }: StampedKey, tally: Tally): Promise<void> {
  await store.delete(key);
  tally.removed();
}

function endMs(day: string): number {
  return Date.parse(day) + DAY_MS;
}
