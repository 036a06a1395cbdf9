/**
 * Roots whose directory and workspace were deployed under another name. A lane is a name, so a new name would have neither the
 * lock of the lane before nor its reviews.
 */
import type { DeploymentRequest, Formerly, Lock } from '@nereid/domain/deployment';
import type { Repository, Root } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { lockByTurns } from '../../lane/turn/end-of-turn.ts';
import { viewLane } from '../../lane/view-lane.ts';
import { placeIdOf } from '../../root/root-place.ts';

type Renamed = Pick<DeploymentRequest, 'root' | 'formerly'>;

const AT_ONCE = 20;

/** A root that is not deployed, because nobody can tell what its place was called before. */
export interface StoppedRoot {
  readonly name: string;
  /** For people: what is broken, and what to do. */
  readonly sentence: string;
}

interface Found {
  /** What the request for each renamed root says, by its new name: a person reviews its plan, whatever its settings say. */
  readonly renamed: ReadonlyMap<string, Renamed>;
  readonly stopped: readonly StoppedRoot[];
}

/** A broken record stops its own root only. */
export async function findRenamed(
  context: WorkerContext,
  repository: Repository,
  roots: readonly Root[],
): Promise<Found> {
  const stopped: StoppedRoot[] = [];
  const found = await pMap(
    roots,
    async (root) => {
      try {
        return await renamed(context, repository, root);
      } catch (error) {
        if (!isUnreadableRecord(error)) throw error;
        context.logger.error(
          { err: error, root: root.name },
          'a root is not deployed: a record of its place is broken',
        );
        stopped.push({ name: root.name, sentence: `${root.name} is not deployed: ${error.message}; then re-run it` });
        return undefined;
      }
    },
    { concurrency: AT_ONCE },
  );
  return { renamed: new Map(found.flatMap((one) => (one === undefined ? [] : [[one.root.name, one]]))), stopped };
}

async function renamed(context: WorkerContext, repository: Repository, root: Root): Promise<Renamed | undefined> {
  const names = await context.rootPlaces.namesAt(placeIdOf(repository, root));
  if (names.at(-1) === root.name) return undefined;
  const others = names.filter((name) => name !== root.name && !isTwin(name, root, names));
  const formerly = await formerName(context, repository, others);
  // A person looks at it, whatever rules confirm.
  const { autoWhen: _rules, carryReview: _too, ...reviewed } = root;
  return formerly && { root: { ...reviewed, planReview: 'required' }, formerly };
}

/** Of a root that was deployed before, beside it. A new one asks a person once: it could be another name for the same state. */
function isTwin(name: string, { name: own, twins = [] }: Root, names: readonly string[]): boolean {
  return names.includes(own) && twins.includes(name);
}

/**
 * The newest name whose lane is locked, else the newest. Somebody else may answer for a lane, so what storage knows of its lock goes
 * first: it is signed into the order.
 */
async function formerName(
  context: WorkerContext,
  repository: Repository,
  names: readonly string[],
): Promise<Formerly | undefined> {
  for (const rootName of names.toReversed()) {
    const stored = await lockByTurns(context, repository, rootName);
    const lock: Lock | undefined = stored ?? (await viewLane(context, repository, rootName))?.lock;
    if (lock !== undefined) return { rootName, lock };
  }
  const rootName = names.at(-1);
  return rootName === undefined ? undefined : { rootName };
}
