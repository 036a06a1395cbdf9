/** Runs of GitHub Actions that somebody cancels while they wait, and perhaps starts again. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProtectedRunEvent } from '@nereid/domain/intake';
import { intakeStageOfThisFile } from './testing/intake-stage.ts';
import { ProtectedRunStage } from './testing/protected-run-stage.ts';
import { BACKEND } from './testing/staged-repository.ts';

const stage = intakeStageOfThisFile();
const runs = new ProtectedRunStage(stage);

afterEach(async () => {
  stage.standIn.faults.clear();
  await runs.clear();
});

describe('a job that was cancelled', () => {
  const HOUR_MS = 3_600_000;

  async function aWaitingRun() {
    const infra = await runs.aRepository();
    const sha = await infra.commit({ 'network/main.tf': `${BACKEND}# 1` });
    const event = runs.started(infra, sha);
    await runs.deliver(event);
    return { infra, sha, event };
  }

  test('and is run again is told again what it waits for, and gets its answer', async () => {
    const { infra, sha, event } = await aWaitingRun();
    const again = runs.startedAgain(infra, event);

    await runs.deliver(again);
    await runs.answerRuns();
    expect(runs.runOf(infra)).toMatchObject({ state: 'waiting', comments: [expect.stringMatching(/^Waits until/)] });
    expect((await runs.listed(infra)).map(({ received }) => received.body.event.deploymentId)).toEqual([
      again.deploymentId,
    ]);

    await runs.deployed(infra, 'network', sha);
    await runs.answerRuns();
    expect(runs.runOf(infra)).toMatchObject({ state: 'approved' });
    expect(await runs.listed(infra)).toEqual([]);
  });

  test('and is run again waits from then on, not from its first attempt on', async () => {
    const { infra, event } = await aWaitingRun();
    await runs.clear();
    const before = new Date(Date.now() - 29 * 24 * HOUR_MS).toISOString();
    await runs.wait(event, {}, before);
    await runs.wait(runs.startedAgain(infra, event));

    await runs.answerRuns(stage.context, 2 * 24 * HOUR_MS);

    expect(runs.runOf(infra)).toMatchObject({ state: 'waiting' });
    expect(await runs.listed(infra)).toHaveLength(1);
  });

  test('and is run again keeps its record, whatever GitHub says of the first attempt meanwhile', async () => {
    const { infra, sha, event } = await aWaitingRun();
    await runs.deployed(infra, 'network', sha);
    stage.standIn.cancelWorkflowRun(event.runId);
    const { protectedRuns } = stage.context;
    let again: ProtectedRunEvent | undefined;
    // The second attempt comes while the first one is answered.
    const remove: typeof protectedRuns.remove = async (run) => {
      again ??= runs.startedAgain(infra, event);
      await runs.wait(again);
      await protectedRuns.remove(run);
    };

    await runs.answerRuns({ ...stage.context, protectedRuns: { ...protectedRuns, remove } });

    expect((await runs.listed(infra)).map(({ received }) => received.body.event.deploymentId)).toEqual([
      again?.deploymentId,
    ]);
  });

  test('is forgotten within an hour or so, and one that waits is not', async () => {
    const { infra, event } = await aWaitingRun();
    await runs.wait(runs.started(infra, event.sha));
    stage.standIn.cancelWorkflowRun(event.runId);

    await runs.answerRuns();
    expect(await runs.listed(infra)).toHaveLength(2);
    await runs.answerRuns(stage.context, HOUR_MS);

    expect((await runs.listed(infra)).map(({ received }) => received.body.event.runId)).not.toContain(event.runId);
    expect(await runs.listed(infra)).toHaveLength(1);
    stage.standIn.assertNoRefusedRequests();
  });

  test('holds up no other where nobody may ask GitHub whether it was', async () => {
    const { infra, sha, event } = await aWaitingRun();
    stage.standIn.cancelWorkflowRun(event.runId);
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: /^GET .*actions\/runs/ });
    const other = runs.started(infra, sha);
    await runs.wait(other);
    await runs.deployed(infra, 'network', sha);

    await runs.answerRuns(stage.context, HOUR_MS);

    expect(stage.standIn.workflowRuns(infra.fullName).map(({ state }) => state)).toEqual(['cancelled', 'approved']);
    expect(await runs.listed(infra)).toEqual([]);
  });
});

test('the same webhook under two hundred other delivery ids gets one answer', async () => {
  const infra = await runs.aRepository();
  const event = runs.started(infra, await infra.head());
  stage.standIn.resetTraffic();

  for (let count = 0; count < 200; count += 1)
    await runs.deliver(event, { delivery: `replay-${count}`, bodyDigest: 'd'.repeat(64) });

  const answers = stage.standIn.requestCounts().filter(({ route }) => route.includes('deployment_protection_rule'));
  expect(answers).toMatchObject([{ count: 1 }]);
  expect(await runs.listed(infra)).toEqual([]);
});
