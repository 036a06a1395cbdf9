/**
 * Roots whose directory and workspace were deployed under another name. A lane is a name, so a new name would have neither the
 * lock of the lane before nor its reviews.
 */
import type { DeploymentRequest, Formerly, Lock, Repository, Root } from '@nereid/contracts';
import pMap from 'p-map';
import type { WorkerContext } from '../../context.ts';
import { viewLane } from '../../lane/view-lane.ts';
import { placeOfRoot } from '../../place-of-root.ts';

type Renamed = Pick<DeploymentRequest, 'root' | 'formerly'>;

const AT_ONCE = 20;

/** What the request for each renamed root says, by its new name: a person reviews its plan, whatever its settings say. */
export async function findRenamed(
  context: WorkerContext,
  repository: Repository,
  roots: readonly Root[],
): Promise<ReadonlyMap<string, Renamed>> {
  const found = await pMap(roots, (root) => renamed(context, repository, root), { concurrency: AT_ONCE });
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.root.name, one]])));
}

async function renamed(context: WorkerContext, repository: Repository, root: Root): Promise<Renamed | undefined> {
  const names = await context.rootPlaces.namesAt(placeOfRoot(repository, root));
  if (names.at(-1) === root.name) return undefined;
  const others = names.filter((name) => name !== root.name);
  const formerly = await formerName(context, repository, others);
  return formerly && { root: { ...root, planReview: 'required' }, formerly };
}

/** The newest name whose lane is locked, else the newest. */
async function formerName(
  context: WorkerContext,
  repository: Repository,
  names: readonly string[],
): Promise<Formerly | undefined> {
  for (const rootName of names.toReversed()) {
    const lock: Lock | undefined = (await viewLane(context, repository, rootName))?.lock;
    if (lock !== undefined) return { rootName, lock };
  }
  const rootName = names.at(-1);
  return rootName === undefined ? undefined : { rootName };
}
