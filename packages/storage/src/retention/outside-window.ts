/** Records of ended deployments that nobody needs any more to find out who brought a change, or what was deployed. */
import type { LaneRecord, LaneTurn } from '@nereid/domain/lane';
import { defined } from '@nereid/domain/defined';
import type { ObjectStore, StampedKey } from '../objects/object-store.ts';
import type { EndPlace } from '../records/deployment-records.ts';
import { createLaneRecords, type LaneName } from '../records/lane-records.ts';
import { createLaneTurns } from '../records/lane-turns.ts';
import { deploymentsPrefix, DEPLOYMENTS_PREFIX, parseDeploymentKey } from '../records/record-keys.ts';

/** More than anybody reads of a lane's last deployments. */
const NEWEST_KEPT = 50;

export interface OldRecord extends StampedKey {
  readonly place: EndPlace;
}

/**
 * Those of one lane, the oldest first: none of the newest, and none since the oldest deployment that the lane or its turn names. Throws
 * `BrokenRecordError` and `UnknownRecordVersionError` where nobody can read what these name.
 */
export async function* outsideWindow(store: ObjectStore, lane: LaneName): AsyncGenerator<OldRecord> {
  const prefix = deploymentsPrefix(lane, lane.rootName);
  const newest: StampedKey[] = [];
  let named: ReadonlySet<string> | undefined;
  for await (const each of store.listStamped(prefix)) {
    if (newest.push(each) <= NEWEST_KEPT) continue;
    const oldest = newest.shift();
    const place = oldest && parseDeploymentKey(prefix, oldest.key);
    if (oldest === undefined || place === undefined) continue;
    named ??= await namedBy(store, lane);
    if (named.has(place.id)) return;
    yield { ...oldest, place };
  }
}

/** The lane whose first record comes after a key. */
export async function nextLane(store: ObjectStore, after: string | undefined): Promise<LaneName | undefined> {
  for await (const key of store.list(DEPLOYMENTS_PREFIX, { limit: 1, ...defined({ after }) })) {
    const [, owner, name, rootName] = key.split('/');
    if (owner && name && rootName) return { owner, name, rootName };
  }
  return undefined;
}

async function namedBy(store: ObjectStore, lane: LaneName): Promise<ReadonlySet<string>> {
  const [found, turn] = await Promise.all([
    createLaneRecords(store).read(lane, lane.rootName),
    createLaneTurns(store).read(lane, lane.rootName),
  ]);
  return new Set([...(found ? inRecord(found.record) : []), ...(turn ? inTurn(turn) : [])]);
}

function inRecord({ running, manual, merged, ended = [], ...named }: LaneRecord): readonly string[] {
  const { latest, lock, lifted = [], undeployed = [] } = named;
  const whole = [...(running ? [running] : []), ...manual, ...merged, ...ended];
  const others = [...(latest ? [latest] : []), ...(lock ? [lock] : []), ...lifted, ...undeployed];
  return [...whole.map(({ id }) => id), ...others.map(({ deploymentId }) => deploymentId)];
}

/** The ids of the deployments that a turn names. */
export function inTurn({ last, applied, deployed }: LaneTurn): readonly string[] {
  return [last?.deployment, applied, deployed].flatMap((one) => one?.id ?? []);
}
