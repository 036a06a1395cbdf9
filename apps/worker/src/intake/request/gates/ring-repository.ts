/** Tells the lanes and the deployments of a repository that a gate may be open, or looks which there are. */
import { defined } from '@nereid/domain/defined';
import type { Deployment } from '@nereid/domain/deployment';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import pMap from 'p-map';
import { askAgain } from '../../../lane/ask-again.ts';
import { wakeLane } from '../../../lane/signal-lane.ts';
import type { WorkerContext } from '../../../platform/context.ts';

type RingContext = Pick<WorkerContext, 'deploymentRecords' | 'laneRecords' | 'temporal' | 'logger'>;

export interface KnownLanes {
  readonly lanes: readonly KnownLane[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

interface KnownLane {
  readonly rootName: string;
  /** Of its last deployment; absent where none is known. */
  readonly root?: Root;
  /** Is under way. */
  readonly running?: Deployment;
}

/** Five hundred take a second or two. The others ask by themselves, within an hour. */
const LANES_LIMIT = 500;

const AT_ONCE = 20;

/** A person waits for the answer. */
const RING_MS = 5_000;

/** Returns whether all lanes were told. Never throws: nothing depends on it. */
export function ringRepository(context: RingContext, repository: Repository): Promise<boolean> {
  return visitLanes(context, repository, (rootName) => ring(context, repository, rootName));
}

/** The same for one lane. Never throws. */
export async function ringLane(context: RingContext, repository: Repository, rootName: string): Promise<void> {
  try {
    await ring(context, repository, rootName);
  } catch (error) {
    context.logger.warn({ err: error, repository: fullName(repository), root: rootName }, 'a lane could not be told');
  }
}

async function ring(context: RingContext, repository: Repository, rootName: string): Promise<void> {
  await wakeLane(context, repository, rootName, { withinMs: RING_MS });
  const running = (await context.laneRecords.read(repository, rootName))?.record.running;
  if (running !== undefined) await askAgain(context, running.id);
}

/** Never throws. */
export async function listLanes(context: RingContext, repository: Repository): Promise<KnownLanes> {
  const lanes: KnownLane[] = [];
  const isComplete = await visitLanes(context, repository, async (rootName) => {
    lanes.push(await readLane(context, repository, rootName));
  });
  // A lane that comes too late changes nothing of it.
  return { lanes: [...lanes], isComplete };
}

async function readLane(
  { laneRecords, deploymentRecords }: RingContext,
  repository: Repository,
  rootName: string,
): Promise<KnownLane> {
  const running = (await laneRecords.read(repository, rootName))?.record.running;
  if (running !== undefined) return { rootName, root: running.root, running };
  const [last] = await deploymentRecords.latest(repository, rootName, 1);
  return { rootName, ...defined({ root: last?.deployment.root }) };
}

/** Each lane on its own: one that fails holds up no other, and those that come too late are missed. */
async function visitLanes(
  { laneRecords, logger }: RingContext,
  repository: Repository,
  visit: (rootName: string) => Promise<void>,
): Promise<boolean> {
  let isComplete = true;
  // One that fails is mostly one of many, which fail for the same reason.
  const miss = (err: unknown) => {
    if (!isComplete) return;
    isComplete = false;
    logger.warn({ err, repository: fullName(repository) }, 'not all lanes of a repository could be looked at');
  };
  async function* list(): AsyncIterable<string> {
    let count = 0;
    for await (const { owner, name, rootName } of laneRecords.list()) {
      if (owner !== repository.owner || name !== repository.name) continue;
      count += 1;
      if (count > LANES_LIMIT) {
        miss(new Error(`expected at most ${LANES_LIMIT} lanes, found more`));
        return;
      }
      yield rootName;
    }
  }
  const options = { concurrency: AT_ONCE, signal: AbortSignal.timeout(RING_MS) };
  try {
    await pMap(list(), (rootName) => visit(rootName).catch(miss), options);
  } catch (error) {
    miss(error);
  }
  return isComplete;
}
