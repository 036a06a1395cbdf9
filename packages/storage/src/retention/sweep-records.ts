import { poolOf } from '@nereid/domain/root';
import pMap from 'p-map';
import type { ObjectStore } from '../objects/object-store.ts';
import { createBegunApplies } from '../records/begun-applies.ts';
import { deploymentFormat } from '../records/deployment-records.ts';
import type { LaneName } from '../records/lane-records.ts';
import { deploymentsPrefix, DEPLOYMENTS_PREFIX } from '../records/record-keys.ts';
import { nextLane, outsideWindow } from './outside-window.ts';
import { AT_ONCE, createTally, endOf, isOld, REMOVED_LIMIT, type Sweep, type Swept, type Tally } from './sweep.ts';

/** In the marker of a deployment whose record is gone: nothing of it will ever be applied. */
export const RECORD_REMOVED = 'removed';

/** Removes records of ended deployments that are outside of the window of their lane. */
export async function sweepRecords(store: ObjectStore, sweep: Sweep): Promise<Swept> {
  const tally = createTally(sweep);
  let { after } = sweep;
  for (;;) {
    const lane = await nextLane(store, after);
    if (lane === undefined) return tally.swept();
    await tally.attempt(() => sweepLane(store, lane, { beforeMs: sweep.beforeMs, tally }));
    // Not behind this lane: more of it may be old.
    if (tally.isFull()) return tally.swept(after ?? DEPLOYMENTS_PREFIX);
    after = endOf(deploymentsPrefix(lane, lane.rootName));
  }
}

interface LaneSweep {
  readonly beforeMs: number;
  readonly tally: Tally;
}

async function sweepLane(store: ObjectStore, lane: LaneName, { beforeMs, tally }: LaneSweep): Promise<void> {
  const keys: string[] = [];
  for await (const each of outsideWindow(store, lane)) {
    tally.looked();
    if (!isOld(each, beforeMs, Date.parse(each.place.endedAt))) break;
    if (keys.push(each.key) === REMOVED_LIMIT) break;
  }
  const remove = (key: string) =>
    tally.attempt(async () => {
      await removeRecord(store, key);
      tally.removed();
    });
  await pMap(keys, remove, { concurrency: AT_ONCE });
}

/** Its order may still be good, so a marker sees to it that nobody has the deployment applied after all. */
async function removeRecord(store: ObjectStore, key: string): Promise<void> {
  const found = await store.get(key);
  if (found === undefined) return;
  const { deployment } = deploymentFormat.decode(key, found.body);
  await createBegunApplies(store).of(poolOf(deployment.root)).overtake(deployment.id, RECORD_REMOVED);
  await store.delete(key);
}
