/** Tells the lanes and the deployments of a repository that a gate may be open. */
import type { AskAgain, Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError } from '@temporalio/client';
import pMap from 'p-map';
import { wakeLane } from '../../lane/signal-lane.ts';
import type { WorkerContext } from '../../platform/context.ts';

type RingContext = Pick<WorkerContext, 'laneRecords' | 'temporal' | 'logger'>;

/** Five hundred take a second or two. The others ask by themselves, within an hour. */
const LANES_LIMIT = 500;

const AT_ONCE = 20;

/** A person waits for the answer. */
const RING_MS = 5_000;

/** Returns the deployments that are under way. Never throws: nothing depends on it. */
export async function ringRepository(
  context: RingContext,
  repository: Repository,
  how: 'ring' | 'list only',
): Promise<readonly Deployment[]> {
  try {
    const names: string[] = [];
    for await (const { owner, name, rootName } of context.laneRecords.list())
      if (owner === repository.owner && name === repository.name && names.length < LANES_LIMIT) names.push(rootName);
    const options = { concurrency: AT_ONCE, signal: AbortSignal.timeout(RING_MS) };
    const running = await pMap(names, (rootName) => ring(context, repository, { rootName, how }), options);
    return running.filter((one) => one !== undefined);
  } catch (error) {
    context.logger.warn(
      { err: error },
      'deployments that wait at a gate could not be told: they ask by themselves later',
    );
    return [];
  }
}

async function ring(
  { laneRecords, temporal }: RingContext,
  repository: Repository,
  { rootName, how }: { readonly rootName: string; readonly how: 'ring' | 'list only' },
): Promise<Deployment | undefined> {
  const running = (await laneRecords.read(repository, rootName))?.record.running;
  if (how === 'ring') {
    await wakeLane({ temporal }, repository, rootName, RING_MS);
    if (running !== undefined) await askAgain({ temporal }, running.id);
  }
  return running;
}

async function askAgain({ temporal }: Pick<RingContext, 'temporal'>, deploymentId: string): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + RING_MS, () =>
      temporal.workflow.getHandle(deploymentId).signal<[AskAgain]>(MESSAGE.askAgain, { version: 1 }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
