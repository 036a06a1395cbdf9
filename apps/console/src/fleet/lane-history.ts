/** What has ended in a lane, read once in a while for all pages that show it. */
import type { LaneName } from '@nereid/github';
import { hasEnded } from '@nereid/contracts';
import type { DeploymentRecords } from '@nereid/storage';
import { LRUCache } from 'lru-cache';
import { briefly, keyOf, type FleetDeployment } from './fleet.ts';

export type EndedInLane = FleetDeployment & { readonly endedAt: string };

/** The latest end first, at most `HISTORY_SHOWN`; of those that had ended by then, if a time is given. */
export type ReadHistory = (lane: LaneName, asOf: string | undefined) => Promise<readonly EndedInLane[]>;

const HISTORY_SHOWN = 50;

/** Pages ask for it when something has ended, all at the same time; fifty records are read each time. */
const FRESH_MS = 500;

/** Some 20 KB each. */
const KEPT = 500;

/** Who asks while it is read waits for the same reading. A failure is not kept. */
export function createReadHistory(records: Pick<DeploymentRecords, 'latest'>): ReadHistory {
  const known = new LRUCache<string, Promise<readonly EndedInLane[]>>({ max: KEPT, ttl: FRESH_MS });
  return (lane, asOf) => {
    const key = JSON.stringify([keyOf(lane), asOf]);
    const reading = known.get(key) ?? read(records, lane, asOf);
    if (!known.has(key)) known.set(key, reading);
    reading.catch(() => known.delete(key));
    return reading;
  };
}

async function read(
  records: Pick<DeploymentRecords, 'latest'>,
  lane: LaneName,
  asOf: string | undefined,
): Promise<readonly EndedInLane[]> {
  const by = asOf === undefined ? undefined : new Date(asOf);
  const found = await records.latest(lane, lane.rootName, HISTORY_SHOWN, by);
  return found
    .filter(({ deployment }) => hasEnded(deployment.progress.status))
    .map(({ deployment, endedAt }) => ({ ...briefly(deployment), endedAt }));
}
