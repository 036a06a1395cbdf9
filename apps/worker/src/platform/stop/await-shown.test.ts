import { expect, test } from '@jest/globals';
import { awaitShown, type AwaitShown } from './await-shown.ts';

interface Found {
  readonly status?: string;
  readonly task?: object;
  readonly activities?: readonly string[];
  readonly lane?: string;
}

const LANE = 'acme/infra||network';

/** A Temporal that says this of each deployment, look by look; the last answer stays. */
async function awaited(deployments: Readonly<Record<string, readonly (Found | Error)[]>>, withinMs = 60_000) {
  const looks: string[] = [];
  const log: string[] = [];
  const getHandle = (id: string) => ({
    describe() {
      const answers = deployments[id] ?? [];
      const found = answers[Math.min(looks.filter((one) => one === id).length, answers.length - 1)];
      looks.push(id);
      if (found === undefined || found instanceof Error) return Promise.reject(found ?? new Error('unexpected'));
      const { status = 'RUNNING', task = null, activities = [], lane } = found;
      const workflowExecutionInfo = { parentExecution: lane === undefined ? null : { workflowId: lane } };
      const pendingActivities = activities.map((name) => ({ activityType: { name } }));
      return Promise.resolve({
        status: { name: status },
        raw: { workflowExecutionInfo, pendingWorkflowTask: task, pendingActivities },
      });
    },
  });
  const temporal = { workflow: { getHandle }, withDeadline: (_at: number, ask: () => unknown) => ask() };
  const logger = { warn: (_fields: object, message: string) => void log.push(message) };
  const context = { temporal, logger } as unknown as AwaitShown; // What is asked for.
  await awaitShown(
    context,
    Object.keys(deployments).filter((id) => id !== LANE),
    withinMs,
  );
  return { looks, log };
}

test('a deployment that has ended is waited for no longer', async () => {
  const { looks, log } = await awaited({
    d1: [{ task: {} }, { activities: ['endDeployment'] }, { status: 'COMPLETED' }],
  });

  expect(looks).toEqual(['d1', 'd1', 'd1']);
  expect(log).toEqual([]);
});

test('a deployment that returned its end is waited for until its lane has shown it', async () => {
  const { looks, log } = await awaited({
    d1: [{ task: {} }, { status: 'COMPLETED', lane: LANE }],
    [LANE]: [{ activities: ['settleLane'] }, { activities: ['findDependencies'] }],
  });

  expect(looks).toEqual(['d1', 'd1', LANE, LANE]);
  expect(log).toEqual([]);
});

test('a deployment that waits for a person or a host is waited for no longer', async () => {
  const { looks } = await awaited({
    reviewed: [{}],
    claims: [{ activities: ['claimHost'] }],
    cleans: [{ activities: ['cleanUpHost'] }],
  });

  expect(looks).toEqual(['reviewed', 'claims', 'cleans']);
});

test('a GitHub that takes nothing holds up a stop for that time alone', async () => {
  const { log } = await awaited({ d1: [{ activities: ['claimHost', 'showCheckRun'] }] }, 1);

  expect(log).toEqual(['how the last jobs ended is shown after the next start']);
});

test('a Temporal that is away holds up no stop', async () => {
  const { log } = await awaited({ d1: [new Error('away')] });

  expect(log).toEqual(['how the last jobs ended may be shown only after the next start']);
});
