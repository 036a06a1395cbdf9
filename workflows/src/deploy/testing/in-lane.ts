import type { LaneDurations } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { claimQueue, CONTROL_QUEUE, hostQueue } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import type { WorkflowHandle } from '@temporalio/client';
import { FakeWorld } from './fake-world.ts';
import { LaneDriver } from './lane-driver.ts';

type InLane = (act: (lane: LaneDriver) => Promise<void>, durations?: Partial<LaneDurations>) => () => Promise<void>;

/** Opens an environment for the tests of a file. What it returns makes a test of what is done to a lane of its own. */
export function openLanes(): InLane {
  const environment = environmentOfThisFile();
  return (act, durations) => () => withLane(environment, act, durations);
}

/** A cancellation reaches what beats. */
const BEATING = { maxHeartbeatThrottleInterval: 50 };

/** Runs workers for everything a lane needs while the test runs. */
async function withLane(
  environment: WorkflowEnvironment,
  test: (lane: LaneDriver) => Promise<void>,
  durations?: Partial<LaneDurations>,
): Promise<void> {
  const world = new FakeWorld(environment.client);
  const workers = await Promise.all([
    environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { ...world.control } }),
    environment.createWorker({ ...BEATING, taskQueue: claimQueue(DEFAULT_POOL), activities: { ...world.claims } }),
    environment.createWorker({ ...BEATING, taskQueue: hostQueue('host-1'), activities: { ...world.host } }),
  ]);
  const lane = new LaneDriver(environment, world, durations);
  const running = workers.map((worker) => worker.run());
  try {
    await test(lane);
  } finally {
    world.release();
    await endLane(lane.handle, environment);
    await endEverything(environment);
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  }
}

/** Ends the lane and its terraform workflows, so that the next test does not meet them. Workflow lists are a moment behind. */
async function endLane(lane: WorkflowHandle, { client }: WorkflowEnvironment): Promise<void> {
  const children = await lane.describe().then(
    ({ raw }) => raw.pendingChildren ?? [],
    () => [],
  );
  const ids = children.flatMap(({ workflowId }) => (workflowId ? [workflowId] : []));
  for (const id of [lane.workflowId, ...ids]) {
    await client.workflow
      .getHandle(id)
      .terminate('the test is over')
      .catch(() => undefined);
  }
}

async function endEverything({ client }: WorkflowEnvironment): Promise<void> {
  for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    await client.workflow
      .getHandle(workflowId)
      .terminate('the test is over')
      .catch(() => undefined);
  }
}
