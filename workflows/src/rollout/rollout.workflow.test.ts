import { expect, test } from '@jest/globals';
import { rolloutWorkflowId, type RolloutActivities, type RolloutInput } from '@nereid/domain/rollout';
import { CONTROL_QUEUE, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };

const environment = environmentOfThisFile();
let last = 0;

async function whileWorking(made: RolloutActivities, isSo: () => Promise<void>): Promise<void> {
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: made });
  await worker.runUntil(isSo);
}

function start() {
  last += 1;
  const sha = String(last).repeat(40);
  const input: RolloutInput = { repository: REPOSITORY, sha };
  return environment.client.workflow.signalWithStart(WORKFLOW.rollout, {
    workflowId: rolloutWorkflowId(REPOSITORY, sha),
    taskQueue: CONTROL_QUEUE,
    args: [input],
    signal: MESSAGE.look,
    signalArgs: [{ version: 1 }],
  });
}

const goesOn = () => ApplicationFailure.create({ message: 'it goes on', type: 'GOES_ON', nextRetryDelay: 10 });

test('a rollout that goes on is looked at again and again, which its history does not show', async () => {
  const seen: unknown[] = [];
  const made: RolloutActivities = {
    showRollout: async () => {
      const { heartbeat, info } = Context.current();
      seen.push(info.heartbeatDetails);
      if (seen.length === 5) return Promise.resolve('2 roots: 2 done');
      heartbeat({ writes: seen.length });
      throw goesOn();
    },
  };
  await whileWorking(made, async () => {
    const handle = await start();
    expect(await handle.result()).toBe('2 roots: 2 done');
    const { events } = await handle.fetchHistory();
    expect(events?.length).toBeLessThan(15);
    await environment.record('rolled-out', handle.workflowId);
  });

  expect(seen).toEqual([undefined, ...Array.from({ length: 4 }, (_, index) => ({ writes: index + 1 }))]);
});

test('roots that are deployed again while it ends are shown before it ends', async () => {
  let looks = 0;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const made: RolloutActivities = {
    async showRollout() {
      looks += 1;
      if (looks === 1) await promise;
      return `look ${looks}`;
    },
  };
  await whileWorking(made, async () => {
    const handle = await start();
    await until(() => looks === 1);
    await handle.signal(MESSAGE.look, { version: 1 });
    resolve(undefined);
    expect(await handle.result()).toBe('look 2');
    await environment.record('rolled-out-again', handle.workflowId);
  });
});

test('a rollout that lasts longer than its activity may begins it again', async () => {
  let looks = 0;
  const made: RolloutActivities = {
    showRollout() {
      looks += 1;
      if (looks > 1) return Promise.resolve('2 roots: 2 done');
      throw ApplicationFailure.create({ message: 'it goes on', type: 'GOES_ON', nextRetryDelay: '41d' });
    },
  };
  await whileWorking(made, async () => {
    expect(await (await start()).result()).toBe('2 roots: 2 done');
  });

  expect(looks).toBe(2);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
