import pMap from 'p-map';
import type { ObjectStore } from '../objects/object-store.ts';
import { createLaneRecords, type LaneName, type LaneRecords } from '../records/lane-records.ts';
import { createRolloutRecords } from '../rollouts/rollout-records.ts';

/** What nobody may remove, however old it is. */
export interface InUse {
  /** Of deployments that wait or run, of those that lanes have deployed last or are locked by, and of previews that have a record. */
  readonly deployments: ReadonlySet<string>;
  /** `<owner>/<repo>/<id>`: of deployments that wait or run, and those that these go back to. */
  readonly rollouts: ReadonlySet<string>;
}

/** Far below what one prefix of a bucket takes in a second. */
const AT_ONCE = 32;

const PREVIEWS_PREFIX = 'previews/';

/**
 * Reads all lanes. What comes into use later is young, and stays for that. Throws `BrokenRecordError` and
 * `UnknownRecordVersionError`: what a lane uses that nobody can read, nobody knows.
 */
export async function findInUse(store: ObjectStore): Promise<InUse> {
  const lanes = createLaneRecords(store);
  const [deployments, rollouts] = [new Set<string>(), new Set<string>()];
  const look = async (lane: LaneName) => {
    const used = await usedBy(lanes, lane);
    for (const id of used.deployments) deployments.add(id);
    for (const id of used.rollouts) rollouts.add(rolloutName(lane, id));
  };
  await pMap(lanes.list(), look, { concurrency: AT_ONCE });
  await pMap([...rollouts], (one) => addEarlier(store, one, rollouts), { concurrency: AT_ONCE });
  for await (const key of store.list(PREVIEWS_PREFIX)) deployments.add(idOfPreview(key));
  return { deployments, rollouts };
}

export function rolloutName({ owner, name }: Pick<LaneName, 'owner' | 'name'>, id: string): string {
  return `${owner}/${name}/${id}`;
}

interface UsedByLane {
  readonly deployments: readonly string[];
  readonly rollouts: readonly string[];
}

async function usedBy(lanes: LaneRecords, lane: LaneName): Promise<UsedByLane> {
  const found = await lanes.read(lane, lane.rootName);
  if (found === undefined) return { deployments: [], rollouts: [] };
  const { running, manual, merged, latest, lock } = found.record;
  const open = [...(running ? [running] : []), ...manual, ...merged];
  const named = [latest, lock].flatMap((one) => one?.deploymentId ?? []);
  return {
    deployments: [...open.map(({ id }) => id), ...named],
    rollouts: open.flatMap(({ rollout }) => rollout ?? []),
  };
}

/** A re-run of a rollout goes back to ends of earlier ones. */
async function addEarlier(store: ObjectStore, used: string, rollouts: Set<string>): Promise<void> {
  const [owner = '', name = '', ...id] = used.split('/');
  const rollout = await createRolloutRecords(store).read({ owner, name }, id.join('/'));
  for (const { of } of rollout?.roots ?? []) if (of !== undefined) rollouts.add(rolloutName({ owner, name }, of));
}

function idOfPreview(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, '');
}
