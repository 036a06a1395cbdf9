import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { forceUnlockWorkflowId, type ForceUnlockOrder } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { aDeployment } from '@nereid/domain/testing';
import { decodeFirst } from '@nereid/process';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND };
const LOCK_ID = '594d17c1-7d4f-5256-08d1-4d67a8754dbd';
const COMMAND = `nereid force-unlock network ${LOCK_ID}`;

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

async function aPullRequest() {
  const infra = await stage.repository(ROOTS);
  return { infra, opened: await infra.pullRequest({ 'network/a.tf': '' }) };
}

/** The order with which its workflow was started. */
async function orderOf(delivery: string): Promise<Signed<ForceUnlockOrder>> {
  const { temporal } = stage.context;
  const { events } = await temporal.workflow.getHandle(forceUnlockWorkflowId(delivery)).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  return (await decodeFirst(temporal.workflow.options, started?.input)) as Signed<ForceUnlockOrder>; // The contract of that workflow.
}

test('an admin has it ordered, signed, at the head of the deployed branch, and once for a delivery', async () => {
  const { infra, opened } = await aPullRequest();
  const delivery = randomUUID();
  const event = infra.writes(opened, COMMAND, 'ada');

  const result = await stage.deliver(event, { delivery });
  // What began since then does not matter.
  await infra.lane('network').record({ running: aDeployment({ status: 'planning' }) });
  const again = await stage.deliver(event, { delivery, attempt: 2 });

  const order = await orderOf(delivery);
  expect(result).toMatchObject({ kind: 'signalled', workflows: [forceUnlockWorkflowId(delivery)] });
  expect(again).toMatchObject({ kind: 'signalled', sentence: result.sentence, workflows: result.workflows });
  expect(order).toMatchObject({
    body: {
      ...{ requestedBy: 'ada', pullRequest: opened.number, revision: { sha: await infra.head() } },
      unlocking: { lockId: LOCK_ID, commentId: event.commentId },
    },
  });
  const { signatures } = stage.context;
  await expect(signatures.open('order/force-unlock', order, {})).resolves.toBeDefined();
  expect(result.userActions?.map(({ body }) => body.action)).toMatchObject([
    { action: 'force_unlock', rootNames: ['network'], lockId: LOCK_ID },
  ]);
  // The workflow of its own answers.
  expect(infra.comments(opened)).toEqual([COMMAND]);
});

describe('refused in a reply, and nothing is ordered', () => {
  test.each([
    ['somebody who is no admin', COMMAND, 'wim', '@wim may not free a lock of the state: it takes admin permission'],
    ['an unknown root', `nereid force-unlock other ${LOCK_ID}`, 'ada', 'other'],
    ['no id', 'nereid force-unlock network', 'ada', 'the id is missing'],
    ['more words', `${COMMAND} now`, 'ada', 'there are more words'],
    ['an id that is a flag', 'nereid force-unlock network -force', 'ada', '-force is none'],
  ])('a force-unlock is refused in a reply for %s', async (_what, line, sender, why) => {
    const { infra, opened } = await aPullRequest();
    const delivery = randomUUID();

    const result = await stage.deliver(infra.says(opened, line, sender), { delivery });

    expect(result.kind).toBe('refused');
    expect(infra.comments(opened)).toEqual([expect.stringContaining(why)]);
    await expect(orderOf(delivery)).rejects.toThrow();
  });

  test.each(['preparing', 'planning', 'applying'] as const)(
    'is a lane with a deployment that is %s',
    async (status) => {
      const { infra, opened } = await aPullRequest();
      await infra.lane('network').record({ running: aDeployment({ status }) });

      const result = await stage.deliver(infra.says(opened, COMMAND, 'ada'));

      expect(result).toMatchObject({
        kind: 'refused',
        sentence: expect.stringMatching(/^abc1234 is being (planned|applied) in this lane, and its lock protects/),
      });
    },
  );

  test('is an apply that began, and of whose end storage knows nothing', async () => {
    const { infra, opened } = await aPullRequest();
    const id = await applied(infra);
    await stage.context.begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'h1', jobId: 'j1' });

    const result = await stage.deliver(infra.says(opened, COMMAND, 'ada'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('began on host h1') });
  });
});

describe('a lock that may be left over is freed', () => {
  test('while a plan waits for a review', async () => {
    const { infra, opened } = await aPullRequest();
    await infra.lane('network').record({ running: aDeployment({ status: 'awaiting-review' }) });

    expect(await stage.deliver(infra.says(opened, COMMAND, 'ada'))).toMatchObject({ kind: 'signalled' });
  });

  test('after an apply whose outcome is unknown', async () => {
    const { infra, opened } = await aPullRequest();
    const id = await applied(infra);
    await stage.context.begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'h1', jobId: 'j1' });
    await infra.recordEnded({ ...aDeployment({ status: 'apply-outcome-unknown' }), id });

    expect(await stage.deliver(infra.says(opened, COMMAND, 'ada'))).toMatchObject({ kind: 'signalled' });
  });
});

/** The deployment that has the turn of the lane. */
async function applied(infra: Awaited<ReturnType<typeof aPullRequest>>['infra']): Promise<string> {
  const { root, revision, trigger, rerun, requestedBy } = aDeployment({ status: 'applying' });
  const id = randomUUID();
  const { name, onFailure } = root;
  const deployment = { id, revision, trigger, rerun, requestedBy, root: { name, onFailure } };
  const last = { deployment, at: '2026-01-31T14:00:00.000Z', pool: DEFAULT_POOL, jobIds: ['j1'] };
  await stage.context.laneTurns.change(infra.repository, name, () => Promise.resolve({ last }));
  return id;
}
