import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IntakeInput } from '@nereid/domain/intake';
import { CONTROL_QUEUE, WORKER_LOST, WORKFLOW } from '@nereid/domain/temporal-names';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { Context } from '@temporalio/activity';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { openLostActivities } from './lost-activities.ts';
import { openRunningActivities } from './running-activities.ts';

const logger = pino({ level: 'silent' });
const input: IntakeInput = {
  body: {
    version: 1,
    delivery: 'd1',
    receivedAt: '2026-01-31T14:00:00.000Z',
    event: {
      kind: 'push',
      repository: { owner: 'acme', name: 'infra', installationId: 1 },
      branch: 'main',
      before: '1'.repeat(40),
      after: '2'.repeat(40),
      forced: false,
      sender: 'alice',
    },
  },
  signature: 'of the gateway',
};

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(() => environment.close());

function open(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  return openLostActivities({ dataDir, temporal: environment.client, logger });
}

const remembered = (dataDir: string) => openRunningActivities(join(dataDir, 'running-activities')).read();

describe('what a worker was at when it died', () => {
  test('is done again as soon as the next one on its folder says so, without a wait for its heartbeats', async () => {
    const [dead, next] = [join(folder, 'dead'), join(folder, 'next')];
    const began = Promise.withResolvers<undefined>();
    const handleEvent = async () => {
      if (Context.current().info.attempt > 1) return { kind: 'nothing', sentence: 'done', workflows: [] };
      began.resolve(undefined);
      return await Context.current().cancelled;
    };
    const { interceptors } = open(dead);
    const worker = await environment.createWorker({
      taskQueue: CONTROL_QUEUE,
      activities: { handleEvent },
      interceptors,
    });

    const events = await worker.runUntil(async () => {
      const start = { workflowId: 'delivery/d1', taskQueue: CONTROL_QUEUE, args: [input] };
      const handle = await environment.client.workflow.start(WORKFLOW.intake, start);
      await began.promise;
      // The disk, as the dead one left it.
      await cp(dead, next, { recursive: true });
      await open(next).report();
      expect(await handle.result()).toMatchObject({ sentence: 'done' });
      return (await handle.fetchHistory()).events ?? [];
    });

    const started = events.find((event) => event.activityTaskStartedEventAttributes);
    const failure = started?.activityTaskStartedEventAttributes?.lastFailure?.applicationFailureInfo;
    expect(failure?.type).toBe(WORKER_LOST);
    expect(remembered(next)).toEqual([]);
  });

  test('is forgotten when it ended by itself', async () => {
    const dataDir = join(folder, 'alive');
    const { interceptors } = open(dataDir);
    const handleEvent = async () => ({ kind: 'nothing', sentence: 'done', workflows: [] });
    const worker = await environment.createWorker({
      taskQueue: CONTROL_QUEUE,
      activities: { handleEvent },
      interceptors,
    });

    await worker.runUntil(async () => {
      const start = { workflowId: 'delivery/d2', taskQueue: CONTROL_QUEUE, args: [input] };
      await (await environment.client.workflow.start(WORKFLOW.intake, start)).result();
    });

    expect(remembered(dataDir)).toEqual([]);
  });

  test('is left to its heartbeats when what was kept says nothing to Temporal', async () => {
    const dataDir = join(folder, 'garbage');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'running-activities'), '\0\x07garbage');

    await open(dataDir).report();

    expect(remembered(dataDir)).toEqual([]);
  });
});
