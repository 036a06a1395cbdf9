/** Hundreds of deployments wait for the same control worker. */
import { expect, test } from '@jest/globals';
import type { TerraformDurations } from '@nereid/domain/deployment';
import type { Beginning, Ending } from '@nereid/domain/deployment-actor';
import { anInput, aRoot } from '@nereid/domain/deployment-testing';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { claimQueue, CONTROL_QUEUE, hostQueue, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { WorkflowHandle } from '@temporalio/client';
import { createFakeHosts, type Script } from '../fixtures/fake-hosts.ts';
import { eventually } from '../fixtures/stage.ts';

/** So many that an apply without precedence would wait for nearly all of them. */
const MANY = 60;

/** What a worker has taken before it knows of anything else. */
const TAKEN_ALREADY = 5;

/** On a machine that stalls, deployments neither give up what waits for control, nor ask for anything else. */
const PATIENT: Partial<TerraformDurations> = { promptMs: 120_000, tellFirstMs: 120_000, quietMs: 120_000 };

/** `TaskQueueType` of temporal/api/enums/v1/task_queue.proto. */
const ACTIVITIES = 2;

const temporal = environmentOfThisFile();

test('permission to apply goes before everything else that deployments ask of control', async () => {
  const fakes = createFakeHosts();
  const deciding = await temporal.createWorker({ taskQueue: CONTROL_QUEUE });
  const decided = deciding.run();
  const workers = await Promise.all([
    temporal.createWorker({ taskQueue: claimQueue(DEFAULT_POOL), activities: fakes.claims }),
    temporal.createWorker({ taskQueue: hostQueue('h1'), activities: fakes.host('h1') }),
  ]);
  const runs = workers.map((worker) => worker.run());
  const start = (id: string, script: Partial<Script>) => {
    fakes.play(id, script);
    const args = [anInput({ id, root: aRoot({ planReview: 'auto' }), durations: PATIENT })];
    return temporal.client.workflow.start(WORKFLOW.terraform, { workflowId: id, taskQueue: CONTROL_QUEUE, args });
  };
  const failed = { kind: 'failed', failure: { body: { summary: 'exit code 1', lines: [] } } } as const;
  const others = await Promise.all(
    Array.from({ length: MANY }, (_, index) => start(`other-${index}`, { plan: () => Promise.resolve(failed) })),
  );
  for (const other of others) await waitsFor(other, 'endDeployment');
  const first = await start('first', {});
  await waitsFor(first, 'begin');
  await waitingForControl(MANY + 1);
  deciding.shutdown();
  await decided;

  const order: string[] = [];
  const { control: asks } = fakes;
  const control = await temporal.createWorker({
    taskQueue: CONTROL_QUEUE,
    maxConcurrentActivityTaskExecutions: 1,
    activities: {
      ...asks,
      begin: (beginning: Beginning) => (order.push('begin'), asks.begin(beginning)),
      endDeployment: (ending: Ending) => (order.push('end'), asks.endDeployment(ending)),
    },
  });
  await control.runUntil(Promise.all([first, ...others].map((handle) => handle.result())));

  expect(order.indexOf('begin')).toBeGreaterThanOrEqual(0);
  expect(order.indexOf('begin')).toBeLessThan(TAKEN_ALREADY);
  for (const worker of workers) worker.shutdown();
  await Promise.all(runs);
});

/** Returns once the deployment asks for this. */
async function waitsFor(deployment: WorkflowHandle, activity: string): Promise<void> {
  await eventually(async () => {
    const { raw } = await deployment.describe();
    const asked = (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name);
    return asked.includes(activity) ? asked : new Error(`expected ${activity} to be asked for, found ${asked.join()}`);
  });
}

/** Returns once so many activities wait in the queue of control. */
function waitingForControl(activities: number): Promise<number> {
  const { namespace } = temporal;
  const asked = { namespace, taskQueue: { name: CONTROL_QUEUE }, taskQueueType: ACTIVITIES, reportStats: true };
  return eventually(async () => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- no package of ours may name the enum
    const { stats } = await temporal.client.workflowService.describeTaskQueue(asked);
    const waiting = Number(stats?.approximateBacklogCount ?? 0);
    return waiting >= activities ? waiting : new Error(`expected ${activities} to wait for control, found ${waiting}`);
  });
}
