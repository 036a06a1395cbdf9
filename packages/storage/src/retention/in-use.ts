import type { Deployment } from '@nereid/domain/deployment';
import pMap from 'p-map';
import type { ObjectStore } from '../objects/object-store.ts';
import { createDeploymentRecords } from '../records/deployment-records.ts';
import { createLaneRecords, type LaneName } from '../records/lane-records.ts';
import { deploymentIn } from '../records/record-keys.ts';
import { PREVIEWS_PREFIX } from '../pull-requests/pull-request-keys.ts';
import { createRolloutRecords } from '../rollouts/rollout-records.ts';

/** Deployments and rollouts that nobody may remove, however old they are. */
export interface InUse {
  /**
   * Of deployments that wait or run, of those that lanes have deployed last or are locked by, of the previews that made their plans,
   * and of previews that have a record.
   */
  readonly deployments: ReadonlySet<string>;
  /** `<owner>/<repo>/<id>`: of deployments that wait or run, and those that these go back to. */
  readonly rollouts: ReadonlySet<string>;
}

/** Far below what one prefix of a bucket takes in a second. */
const AT_ONCE = 32;

/**
 * Reads all lanes. Anything that comes into use later is young, and stays for that. Throws `BrokenRecordError` and
 * `UnknownRecordVersionError`: what a lane uses that nobody can read, nobody knows.
 */
export async function findInUse(store: ObjectStore): Promise<InUse> {
  const [deployments, rollouts] = [new Set<string>(), new Set<string>()];
  const look = async (lane: LaneName) => {
    const used = await usedBy(store, lane);
    for (const id of used.deployments) deployments.add(id);
    for (const id of used.rollouts) rollouts.add(rolloutName(lane, id));
  };
  await pMap(createLaneRecords(store).list(), look, { concurrency: AT_ONCE });
  await pMap([...rollouts], (one) => addEarlier(store, one, rollouts), { concurrency: AT_ONCE });
  for await (const key of store.list(PREVIEWS_PREFIX)) deployments.add(deploymentIn(key));
  return { deployments, rollouts };
}

export function rolloutName({ owner, name }: Pick<LaneName, 'owner' | 'name'>, id: string): string {
  return `${owner}/${name}/${id}`;
}

interface UsedByLane {
  readonly deployments: readonly string[];
  readonly rollouts: readonly string[];
}

async function usedBy(store: ObjectStore, lane: LaneName): Promise<UsedByLane> {
  const stored = await createLaneRecords(store).read(lane, lane.rootName);
  if (stored === undefined) return { deployments: [], rollouts: [] };
  const { running, manual, merged, latest, lock } = stored.record;
  const open = [...(running ? [running] : []), ...manual, ...merged];
  const named = [latest, lock].flatMap((one) => one?.deploymentId ?? []);
  // The lane has only their ids.
  const records = createDeploymentRecords(store);
  const found = await Promise.all([...new Set(named)].map((id) => records.find(lane, lane.rootName, id)));
  const ended = found.flatMap((one) => one?.deployment ?? []);
  return {
    deployments: [...open.map(({ id }) => id), ...named, ...[...open, ...ended].flatMap(plannerOf)],
    rollouts: open.flatMap(({ rollout, together }) =>
      [rollout, together?.rollout, together?.waves].filter((id) => id !== undefined),
    ),
  };
}

/** The log and the text of a plan that was confirmed before the merge are those of the preview that made it. */
function plannerOf({ reviewed }: Pick<Deployment, 'reviewed'>): readonly string[] {
  return reviewed === undefined ? [] : [reviewed.review.body.previewId];
}

/** A re-run of a rollout goes back to ends of earlier ones. */
async function addEarlier(store: ObjectStore, used: string, rollouts: Set<string>): Promise<void> {
  const [owner = '', name = '', ...id] = used.split('/');
  const rollout = await createRolloutRecords(store).read({ owner, name }, id.join('/'));
  for (const { of } of rollout?.roots ?? []) if (of !== undefined) rollouts.add(rolloutName({ owner, name }, of));
}
