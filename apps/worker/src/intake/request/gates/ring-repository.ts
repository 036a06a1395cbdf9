/** Tells the lanes and the deployments of a repository that a gate may be open, or looks which there are. */
import { defined } from '@nereid/domain/defined';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import type { LaneName } from '@nereid/storage';
import { askAgain } from '../../../lane/ask-again.ts';
import { wakeLane } from '../../../lane/signal-lane.ts';
import type { WorkerContext } from '../../../platform/context.ts';
import { mayApply, type TurnContext } from './applies.ts';
import { VISIT_MS, visitLanes, type VisitContext, type WantedLanes } from './visit-lanes.ts';

type RingContext = VisitContext & Pick<WorkerContext, 'temporal'>;

type LanesContext = VisitContext & TurnContext & Pick<WorkerContext, 'deploymentRecords'>;

export interface KnownLanes {
  readonly lanes: readonly KnownLane[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

interface KnownLane {
  readonly rootName: string;
  /** Of its last deployment; absent where none is known. */
  readonly root?: Root;
  /** What is under way is applied, or has permission to begin. */
  readonly isApplied: boolean;
}

/** Five hundred take a second or two. The others ask by themselves, within an hour. */
const LANES_LIMIT = 500;

function lanesOf(repository: Repository): WantedLanes {
  const { owner, name } = repository;
  const isWanted = (lane: LaneName) => lane.owner === owner && lane.name === name;
  return { isWanted, limit: LANES_LIMIT, of: fullName(repository) };
}

/** Returns whether all lanes were told. Never throws: nothing depends on it. */
export function ringRepository(context: RingContext, repository: Repository): Promise<boolean> {
  return visitLanes(context, lanesOf(repository), ({ rootName }) => ring(context, repository, rootName));
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
  await wakeLane(context, repository, rootName, { withinMs: VISIT_MS });
  const running = (await context.laneRecords.read(repository, rootName))?.record.running;
  if (running !== undefined) await askAgain(context, running.id);
}

/** Never throws. */
export async function listLanes(context: LanesContext, repository: Repository): Promise<KnownLanes> {
  const lanes: KnownLane[] = [];
  const isComplete = await visitLanes(context, lanesOf(repository), async ({ rootName }) => {
    lanes.push(await readLane(context, repository, rootName));
  });
  // A lane that comes too late changes nothing of it.
  return { lanes: [...lanes], isComplete };
}

async function readLane(context: LanesContext, repository: Repository, rootName: string): Promise<KnownLane> {
  const running = (await context.laneRecords.read(repository, rootName))?.record.running;
  if (running !== undefined)
    return { rootName, root: running.root, isApplied: await mayApply(context, repository, rootName, running) };
  const [last] = await context.deploymentRecords.latest(repository, rootName, 1);
  return { rootName, isApplied: false, ...defined({ root: last?.deployment.root }) };
}
