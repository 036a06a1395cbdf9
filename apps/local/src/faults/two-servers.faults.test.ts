/**
 * Two Temporal servers at one storage, as after a failover to another region: the second one delivers what the first one has
 * delivered, with the same ids and the same messages. Each server has a worker, which is a host too.
 */
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ApplyJob, TerraformResult } from '@nereid/domain/deployment';
import { CONTROL_QUEUE, hostQueue, WORKFLOW } from '@nereid/domain/temporal-names';
import type { CheckRun } from '@nereid/github-stand-in';
import { decodeFirst, UNSEALED } from '@nereid/process';
import { findDevServer, startTemporalServer, type TemporalServer } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { Client, Connection } from '@temporalio/client';
import { openCourier, type Courier } from '../courier/courier.ts';
import { SECOND_WORKER } from '../stack/processes.ts';
import { openTerrain, until, type Terrain } from './terrain.ts';

jest.setTimeout(600_000);

const folder = folderOfThisFile();
let second: TemporalServer;
let terrain: Terrain;
/** Delivers at the second server. */
let courier: Courier;
let connection: Connection;
/** Of the first server. */
let first: Client;
/** Whether the first worker, too, asks the second server for work. */
let hasFailedOver = false;

beforeAll(async () => {
  const program = await findDevServer({ env: process.env, report: () => undefined });
  second = await startTemporalServer({ program, logFile: path.join(folder, 'temporal.log') });
  terrain = await openTerrain(process.env, {
    hasSecondWorker: true,
    environments: {
      // Read at each of its starts.
      get worker() {
        return hasFailedOver ? { TEMPORAL_ADDRESS: second.address } : {};
      },
      // In another region, it is another machine: the same path is another folder.
      [SECOND_WORKER]: { TEMPORAL_ADDRESS: second.address, WORK_DIR: await mkdtemp(path.join(folder, 'work-')) },
    },
  });
  courier = await openCourier(second.address);
  connection = await Connection.connect({ address: terrain.stack.temporalAddress });
  first = new Client({ connection, dataConverter: UNSEALED });
});

afterAll(async () => {
  await connection.close();
  await courier[Symbol.asyncDispose]();
  await terrain.close();
  await second.stop();
});

test('a deployment that was applied on one server is not applied by the other, which reports the stored end', async () => {
  const sha = await terrain.push('dns', 'ended');
  const { externalId } = await terrain.applied('dns', sha);

  const { progress } = await deliverAgain(externalId);

  const ended = (await first.workflow.getHandle(externalId).result()) as TerraformResult; // As of the other.
  expect(progress).toMatchObject({ status: 'succeeded', applied: ended.progress.applied });
  expect((await terrain.plans()).filter((planned) => planned === sha)).toHaveLength(1);
  expect(await terrain.ledger()).toEqual(['ended']);
});

test('the very task of an apply, delivered to its host by the other server, is answered as it was the first time', async () => {
  const sha = await terrain.push('dns', 'sent-again');
  const { externalId } = await terrain.applied('dns', sha);
  const { job, outcome } = await applyOf(externalId);
  const queue = hostQueue(await terrain.hostIdOf('worker'));

  await failOver(true);
  const answer = await courier.ask(queue, 'applyOnHost', job);
  await failOver(false);

  expect(answer).toEqual(outcome);
  expect(await terrain.ledger()).toEqual(['ended', 'sent-again']);
});

test('a deployment that is applied on one server is not applied by the other, which reports that the outcome is not known', async () => {
  const sha = await terrain.push('dns', 'held', { isHeld: true });
  await terrain.applyBegins('held');

  const { progress } = await deliverAgain(await deploymentOf(sha));

  expect(progress.status).toBe('apply-outcome-unknown');
  expect(progress.reason).toMatch(/An apply of this deployment began on host/);
  await terrain.letEnd('held');
  await terrain.applyEnds('held');
  await terrain.applied('dns', sha);
  expect((await terrain.ledger()).filter((name) => name === 'held')).toEqual(['held']);
  const next = await terrain.push('dns', 'next');
  await appliedInTheEnd(next);
});

test('of two servers that deploy the same at the same time, one applies', async () => {
  const sha = await terrain.push('dns', 'at-once', { planSeconds: 3, applySeconds: 1 });
  const again = deliverAgain(await deploymentOf(sha));
  // Both plan: neither has found that an apply began.
  await terrain.planBegins(sha, 2);

  const { progress } = await again;
  await terrain.applyEnds('at-once');

  expect(['succeeded', 'apply-outcome-unknown']).toContain(progress.status);
  await terrain.says('dns', sha, /^Applied|outcome unknown/);
  expect((await terrain.ledger()).filter((name) => name === 'at-once')).toEqual(['at-once']);
});

async function deploymentOf(sha: string): Promise<string> {
  return (await terrain.seen('dns', sha, 'a deployment', () => true)).externalId;
}

/** The second server has a lane as well, and writes the same record: what it reports may lock the lane until a person looks. */
async function appliedInTheEnd(sha: string): Promise<void> {
  const isUnlocking = ({ actions }: Readonly<CheckRun>) => actions.some(({ label }) => label === 'Unlock');
  const isOver = (run: Readonly<CheckRun>) => isUnlocking(run) || run.status === 'completed';
  const run = await terrain.seen('dns', sha, 'its end, or a lock', isOver);
  if (isUnlocking(run)) terrain.scene.press(run, 'Unlock', 'alice');
  await terrain.applied('dns', sha);
}

/** Starts the same workflow at the second server. */
async function deliverAgain(id: string): Promise<TerraformResult> {
  const input = await startedWith(id);
  // What the workflow returns.
  return (await courier.run(WORKFLOW.terraform, CONTROL_QUEUE, input, id)) as TerraformResult;
}

async function startedWith(id: string): Promise<object> {
  let input: unknown;
  await until(`the workflow of ${id}`, async () => {
    const [started] = await eventsOf(id);
    input = started && (await decodeFirst(first.options, started.workflowExecutionStartedEventAttributes?.input));
    return started !== undefined;
  });
  return input as object; // The lane starts it with one.
}

/** What a host was asked at the first server, and its answer. */
async function applyOf(id: string): Promise<{ readonly job: ApplyJob; readonly outcome: unknown }> {
  const events = await eventsOf(id);
  const asked = events.find(
    ({ activityTaskScheduledEventAttributes: task }) => task?.activityType?.name === 'applyOnHost',
  );
  const answered = events.find(
    ({ activityTaskCompletedEventAttributes: completed }) =>
      completed && String(completed.scheduledEventId) === String(asked?.eventId),
  );
  return {
    job: (await decodeFirst(first.options, asked?.activityTaskScheduledEventAttributes?.input)) as ApplyJob, // Its contract.
    outcome: await decodeFirst(first.options, answered?.activityTaskCompletedEventAttributes?.result),
  };
}

async function eventsOf(id: string) {
  const history = await first.workflow
    .getHandle(id)
    .fetchHistory()
    .catch(() => undefined);
  return history?.events ?? [];
}

async function failOver(isOver: boolean): Promise<void> {
  hasFailedOver = isOver;
  await terrain.stack.restart('worker');
}
