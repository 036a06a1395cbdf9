import { expect, test } from '@jest/globals';
import { laneWorkflowId } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { claimQueue, CONTROL_QUEUE, hostQueue, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { anUnlock, aRevision, REPOSITORY } from '@nereid/domain/testing';
import { replay } from '@nereid/test-kit/replay';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { setTimeout } from 'node:timers/promises';
import { FakeWorld } from './testing/fake-world.ts';
import { eventually } from './testing/lane-driver.ts';

const environment = environmentOfThisFile({ isReplayed: false });

const LANES = 8;
const MERGES = 6;

/** Of each activity of the control worker, in milliseconds: storage and GitHub on a bad day. */
const SLOWNESS = [300, 2_900] as const;

/** Between two messages, and between two queries of a lane: in the middle of whatever it does. */
const PAUSE_MS = 2_000;

/** A few minutes' work, on a machine that has other work. */
const DONE_WITHIN_MS = 600_000;

test(
  'lanes whose activities take seconds, asked by query in between, all replay',
  async () => {
    const worlds = Array.from({ length: LANES }, () => {
      const world = new FakeWorld(environment.client);
      world.slowness = SLOWNESS;
      return world;
    });
    const workers = await Promise.all([
      environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: byRoot(worlds) }),
      environment.createWorker({ taskQueue: claimQueue(DEFAULT_POOL), activities: { ...worlds[0]?.claims } }),
      environment.createWorker({
        taskQueue: hostQueue('host-1'),
        activities: { ...worlds[0]?.host },
        maxHeartbeatThrottleInterval: 50,
      }),
    ]);
    const running = workers.map((worker) => worker.run());
    const asking = new AbortController();
    const questions = worlds.map((_, lane) => askAtRandom(lane, asking.signal));

    await Promise.all(worlds.map((_, lane) => drive(lane)));
    for (const [lane, world] of worlds.entries()) {
      await eventually(`all of lane ${lane}`, async () => (endsIn(world).length === MERGES ? true : undefined));
    }
    asking.abort();
    const asked = (await Promise.all(questions)).reduce((sum, count) => sum + count, 0);
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);

    const replayed = await replay(environment, { codePath: environment.bundle });
    expect(replayed).toEqual({ workflows: LANES * (MERGES + 1), failures: [] });
    expect(asked).toBeGreaterThan(LANES);
    expect(worlds.flatMap(endsIn)).toEqual(Array.from({ length: LANES * MERGES }, () => 'succeeded'));
  },
  DONE_WITHIN_MS,
);

/** By deployment: the end of one may be stored twice, and is the same. */
const endsIn = ({ kept }: FakeWorld) => [...new Map(kept.map(({ id, progress }) => [id, progress.status])).values()];

const rootOf = (lane: number) => `root-${lane}`;

/** Each activity goes to the world of the root that its arguments name. */
function byRoot(worlds: readonly FakeWorld[]): Record<string, (...args: unknown[]) => Promise<unknown>> {
  const names = Object.keys(worlds[0]?.control ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (...args: unknown[]) => {
        const lane = Number(/root-(\d+)/.exec(JSON.stringify(args))?.[1] ?? 0);
        const activity: unknown = Reflect.get(worlds[lane]?.control ?? {}, name);
        if (typeof activity !== 'function') throw new Error(`expected a world with ${name}, found none`);
        const answer: unknown = await Reflect.apply(activity, undefined, args);
        return answer;
      },
    ]),
  );
}

async function drive(lane: number): Promise<void> {
  for (let position = 1; position <= MERGES; position += 1) {
    const revision = aRevision(position);
    await send(lane, MESSAGE.newRevision, { ...revision, root: { ...revision.root, name: rootOf(lane) } });
    await setTimeout(Math.random() * PAUSE_MS);
    if (position % 3 === 0)
      await send(
        lane,
        MESSAGE.unlock,
        anUnlock({ requestId: `unlock-${position}`, by: 'bob', askedAt: new Date().toISOString() }),
      );
  }
}

async function send(lane: number, signal: string, message: unknown): Promise<void> {
  await environment.client.workflow.signalWithStart(WORKFLOW.deploy, {
    workflowId: laneWorkflowId(REPOSITORY, rootOf(lane)),
    taskQueue: CONTROL_QUEUE,
    args: [{ repository: REPOSITORY, rootName: rootOf(lane) }],
    signal,
    signalArgs: [message],
  });
}

/** Answers how many questions were answered. */
async function askAtRandom(lane: number, signal: AbortSignal): Promise<number> {
  const handle = environment.client.workflow.getHandle(laneWorkflowId(REPOSITORY, rootOf(lane)));
  let answered = 0;
  while (!signal.aborted) {
    await setTimeout(Math.random() * PAUSE_MS);
    const isAnswered = await handle.query(MESSAGE.lane).then(
      () => true,
      () => false,
    );
    if (isAnswered) answered += 1;
  }
  return answered;
}
