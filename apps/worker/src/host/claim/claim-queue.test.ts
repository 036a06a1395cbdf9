import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { HostJob, PlanOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { SlotReserveContext } from '@temporalio/worker';
import { testSignatures } from '../../testing/test-signatures.ts';
import { claimWorker, createClaimServices } from './claim-queue.ts';
import type { SlotUse } from '../slots/slot-usage.ts';
import { createSlots } from '../slots/slots.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

const job = { deploymentId: 'd1' } as OpenedJob; // Nobody reads the rest.

const aHost = {
  hostId: 'h1',
  signatures: testSignatures,
  open: () => Promise.resolve(job),
  plan: (): Promise<PlanOutcome> => Promise.reject(new Error('it was only a claim')),
};

test('a host signs its answer to a claim, for this deployment alone', async () => {
  const slots = createSlots(() => 1);
  const { activities: claims } = createClaimServices({ ...aHost, slots }).deployment;

  const claim = await claims.claimHost('d1');

  const about = { pool: DEFAULT_POOL, hostId: 'h1' };
  await testSignatures.open('claim/host', claim, { ...about, deploymentId: 'd1' });
  await expect(testSignatures.open('claim/host', claim, { ...about, deploymentId: 'd2' })).rejects.toMatchObject({
    kind: 'claim/host',
  });
});

test.each([
  ['default', 'terraform', 'terraform-previews'],
  ['prod', 'terraform/prod', 'terraform-previews/prod'],
])('a host of the pool %s answers claims of %s and %s', (pool, forDeployments, forPreviews) => {
  const slots = createSlots(() => 1);
  const queueFor = (use: SlotUse) => claimWorker(pool, 'h1', createClaimServices({ ...aHost, slots })[use]).taskQueue;

  expect(queueFor('deployment')).toBe(forDeployments);
  expect(queueFor('preview')).toBe(forPreviews);
});

test('a preview takes a slot only with its plan: nothing claims one for it alone', () => {
  const { preview } = createClaimServices({ ...aHost, slots: createSlots(() => 1) });

  expect(Object.keys(claimWorker(DEFAULT_POOL, 'h1', preview).activities)).toEqual(['claimAndPlan']);
});

describe('a host that took a plan', () => {
  const asked = {} as HostJob; // Nobody reads it.
  const planning = (plan: typeof aHost.plan) =>
    createClaimServices({ ...aHost, slots: createSlots(() => 1), plan }).deployment.activities.claimAndPlan(asked);

  test('answers with its signed claim', async () => {
    const outcome = { kind: 'failed', failure: { body: { summary: 'exit code 1', lines: [] } } } as const;

    const { claim, since, outcome: answered } = await planning(() => Promise.resolve(outcome));

    await testSignatures.open('claim/host', claim, { pool: DEFAULT_POOL, hostId: 'h1', deploymentId: 'd1' });
    expect([answered, Number.isNaN(Date.parse(since))]).toEqual([outcome, false]);
  });

  test.each([
    ['what may pass', ApplicationFailure.retryable('GitHub is away', 'AWAY'), false],
    ['what nobody foresaw', new Error('odd'), false],
    ['what no other host does better', ApplicationFailure.nonRetryable('no such version', 'BINARY_MISSING'), true],
  ])(
    'fails for good, so that the server tries it nowhere else, and says whose it was: %s',
    async (_what, error, isFinal) => {
      const said = { message: error.message, nonRetryable: true, details: [{ hostId: 'h1', isFinal }] };

      await expect(planning(() => Promise.reject(error))).rejects.toMatchObject(said);
    },
  );

  test('stays cancelled when it was cancelled, and says whose it was', async () => {
    await expect(planning(() => Promise.reject(new CancelledFailure('stopped')))).rejects.toMatchObject({
      name: 'CancelledFailure',
      details: [{ hostId: 'h1' }],
    });
  });
});

test('what nobody ordered takes no slot', async () => {
  const slots = createSlots(() => 1);
  const open = () => Promise.reject(ApplicationFailure.nonRetryable('expected an order', 'FORGED'));
  const { activities } = createClaimServices({ ...aHost, slots, open }).deployment;

  await expect(activities.claimAndPlan({} as HostJob)).rejects.toMatchObject({ type: 'FORGED' });
  expect(slots.usage().used).toBe(0);
});

test('what nobody ordered gives its permit back at once, also while a plan runs', async () => {
  const { promise: isPlanned, resolve } = Promise.withResolvers<PlanOutcome>();
  const slots = createSlots(() => 2);
  let opened = 0;
  const open = () =>
    ++opened === 1 ? Promise.resolve(job) : Promise.reject(ApplicationFailure.nonRetryable('no order', 'FORGED'));
  const { activities, permits } = createClaimServices({ ...aHost, slots, open, plan: () => isPlanned }).deployment;
  const poll = () => permits.tryReserveSlot({} as SlotReserveContext); // Nobody reads it.
  poll();
  const planning = activities.claimAndPlan({} as HostJob);
  await setImmediate();
  const forged = poll();

  await expect(activities.claimAndPlan({} as HostJob)).rejects.toMatchObject({ type: 'FORGED' });
  permits.releaseSlot({ permit: {}, slotInfo: { type: 'activity', activityType: 'claimAndPlan' } });

  expect([forged, poll(), poll()]).toEqual([{}, {}, null]);
  resolve({ kind: 'failed', failure: { body: { summary: 'exit code 1', lines: [] } } });
  await planning;
});
