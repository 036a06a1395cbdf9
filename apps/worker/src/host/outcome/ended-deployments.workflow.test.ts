import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { lateOutcomeWorkflowId, orderOf, type LateOutcome } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import { inParts } from '@nereid/domain/parts';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import { DrivenDeployment } from '../../platform/temporal/testing/driven-deployment.ts';
import { createEndedDeployments, type EndedDeployments } from './ended-deployments.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const OUTCOME: Signed<LateOutcome> = {
  body: {
    version: 1,
    repository: REPOSITORY,
    rootName: 'network',
    deploymentId: 'd1',
    sentence: 'Host h1 came back.',
  },
  signature: 'of the host',
};

// Nobody runs the terraform workflows of these tests.
const environment = environmentOfThisFile({ isReplayed: false });
let ended: EndedDeployments;
let warned: string[];

beforeEach(() => {
  warned = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) });
  ended = createEndedDeployments(environment.client, logger);
});

const start = () => DrivenDeployment.start(environment, REPOSITORY);

const APPLY = { id: 'a-job', startedAt: '2026-01-31T14:00:00.000Z' };

test('the apply of an unknown outcome is known by its start and its result', async () => {
  const deployment = await start();
  const { id: deploymentId } = deployment.deployment;
  const order = orderOf(REPOSITORY, deployment.deployment);
  expect(await ended.isOver(deploymentId)).toBe(false);

  await deployment.ends({ status: 'apply-outcome-unknown', hostId: 'h1', jobs: { apply: APPLY } });

  expect(await ended.isOver(deploymentId)).toBe(true);
  const job = { jobId: 'a-job', order };
  expect(await ended.findUnknownApply(deploymentId)).toEqual({ job, hostId: 'h1' });
});

test('of an apply that ended otherwise nothing is unknown', async () => {
  const deployment = await start();

  await deployment.ends({ status: 'apply-failed', hostId: 'h1', jobs: { apply: APPLY } });

  expect(await ended.findUnknownApply(deployment.id)).toBeUndefined();
  expect(warned).toEqual([]);
});

test('a deployment that Temporal has forgotten is over; that its end is not known is logged', async () => {
  const forgotten = randomUUID();

  expect(await ended.isOver(forgotten)).toBe(true);
  expect(await ended.findUnknownApply(forgotten)).toBeUndefined();
  expect(warned).toEqual([expect.stringContaining(forgotten)]);
});

test('one whose workflow was ended by force is over; that its end is not known is logged', async () => {
  const deployment = await start();
  await deployment.handle.terminate();

  expect(await ended.isOver(deployment.id)).toBe(true);
  expect(await ended.findUnknownApply(deployment.id)).toBeUndefined();
  expect(warned).toEqual([expect.stringContaining(deployment.id)]);
});

test('an outcome is told once, and again only where it was not shown', async () => {
  const asked: unknown[] = [];
  const showLateOutcome = async (outcome: LateOutcome) => {
    asked.push(outcome);
    if (asked.length === 1) throw ApplicationFailure.nonRetryable('a bug');
    return outcome.sentence;
  };
  const worker = await environment.createWorker({
    taskQueue: CONTROL_QUEUE,
    activities: { answer: inParts({ showLateOutcome }) },
  });

  await worker.runUntil(async () => {
    await expect(ended.report('j1', OUTCOME)).rejects.toThrow();
    await ended.report('j1', OUTCOME);
    await ended.report('j1', OUTCOME);
  });

  expect(asked).toEqual([OUTCOME, OUTCOME]);
  const { type } = await environment.client.workflow.getHandle(lateOutcomeWorkflowId('j1')).describe();
  expect(type).toBe('ask');
});
