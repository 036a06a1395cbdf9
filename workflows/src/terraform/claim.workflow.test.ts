import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { PAYLOAD_KEY_MISSING, WORKER_LOST } from '@nereid/domain/temporal-names';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot, claimOf, planned } from '@nereid/domain/deployment-testing';
import { declined, silence } from './fixtures/at-work.ts';
import { COUNTS, type Asked } from './fixtures/fake-hosts.ts';
import { eventually, NAMED_POOL, SILENT_SOON, stageOfThisFile, type Played } from './fixtures/stage.ts';

const stage = stageOfThisFile();

const soon = { claimShownAfterMs: 20, claimRefreshMs: 10 };
const auto = { root: aRoot({ planReview: 'auto' }), durations: soon };
const FULL = 'Waiting for a host: 4 of 4 slots in use on 2 hosts';
const NONE = 'Waiting for a host: no host is running: start a worker';

test('hosts of the pool that was ordered are asked, and permission to apply with the answer that one of them signed', async () => {
  const deployment = await stage.start({}, { root: aRoot({ planReview: 'auto', pool: NAMED_POOL }) });

  await deployment.result();

  expect(await queuesOf(deployment, 'claimAndPlan')).toEqual([`terraform/${NAMED_POOL}`]);
  expect(deployment.asked.beginnings).toMatchObject([
    { hostId: 'h1', claim: claimOf(deployment.handle.workflowId, 'h1') },
  ]);
});

test.each([
  ['declines', 'HOST_DECLINED'],
  ['lacks the key of its input', PAYLOAD_KEY_MISSING],
])('where a host %s, permission for another one is asked with the answer of that one', async (_what, type) => {
  const apply = (hostId: string) =>
    hostId === 'h2'
      ? Promise.resolve({ kind: 'applied', counts: COUNTS } as const)
      : Promise.reject(ApplicationFailure.retryable('the host does not begin', type));
  const claim = (attempt: number) => Promise.resolve(attempt === 0 ? 'h1' : 'h2');
  const deployment = await stage.start({ claim, apply }, auto);

  await deployment.result();

  expect(deployment.asked.beginnings).toMatchObject([
    { hostId: 'h1', claim: claimOf(deployment.handle.workflowId, 'h1') },
    { hostId: 'h2', claim: claimOf(deployment.handle.workflowId, 'h2') },
  ]);
});

test('a host that declines costs no attempt, and nothing in the history', async () => {
  let declines = 3;
  const jobs: string[] = [];
  const deployment = await stage.start(
    {
      claim: () => (declines-- > 0 ? declined() : Promise.resolve('h1')),
      plan: (_host, _attempt, { jobId }) => (jobs.push(jobId), Promise.resolve(planned())),
    },
    { root: aRoot({ planReview: 'auto' }) },
  );

  expect((await deployment.result()).status).toBe('succeeded');
  expect(await queuesOf(deployment, 'claimAndPlan')).toHaveLength(1);
  expect(jobs).toEqual([`${deployment.handle.workflowId}-plan-1`]);
});

test.each([
  ['falls silent', silence],
  [
    'comes back and says that it was lost',
    () => Promise.reject(ApplicationFailure.retryable('the worker was lost', WORKER_LOST)),
  ],
])('a host that took a plan and %s is followed by another attempt, in a job of its own', async (_what, lost) => {
  const jobs: string[] = [];
  const deployment = await stage.start(
    {
      plan: (_host, attempt, { jobId }) => {
        jobs.push(jobId);
        return attempt === 0 ? lost() : Promise.resolve(planned());
      },
    },
    { root: aRoot({ planReview: 'auto' }), durations: SILENT_SOON },
  );

  // On a machine that stalls, the second host may be lost as well.
  expect((await deployment.result()).jobs.plan?.id).toBe(jobs.at(-1));
  expect(jobs.length).toBeGreaterThan(1);
  expect(jobs).toEqual(jobs.map((_, index) => `${deployment.handle.workflowId}-plan-${index + 1}`));
});

test('an answer that names a host which can have no queue is none, and the next host plans', async () => {
  const claim = (attempt: number) => Promise.resolve(attempt === 0 ? 'h'.repeat(2_000) : 'h1');
  const deployment = await stage.start({ claim }, { root: aRoot({ planReview: 'auto' }) });

  expect(await deployment.result()).toMatchObject({ status: 'succeeded', hostId: 'h1' });
});

test('a plan that takes a while says on which host it is made, and where its log is', async () => {
  const isPlanned = Promise.withResolvers<undefined>();
  const plan = () => isPlanned.promise.then(() => planned());
  const deployment = await stage.start({ plan }, auto);

  const { hostId, jobs } = await deployment.reached('planning');
  isPlanned.resolve(undefined);

  expect([hostId, jobs.plan?.id]).toEqual(['h1', `${deployment.handle.workflowId}-plan-1`]);
  expect((await deployment.result()).jobs.plan).toMatchObject({ startedAt: jobs.plan?.startedAt });
});

describe('a wait for a host', () => {
  test('is shown with its reason, and not any longer once a host took the deployment', async () => {
    const free = Promise.withResolvers<string>();
    const deployment = await stage.start({ claim: () => free.promise, whyNoHost: () => FULL }, auto);
    await told(deployment, FULL);
    await deployment.record('waiting-for-a-host');

    free.resolve('h1');

    const { times, status } = await deployment.result();
    expect(status).toBe('succeeded');
    expect(shownBy(deployment.asked)).toContainEqual(['preparing', FULL, 'host']);
    expect(shownBy(deployment.asked).at(-1)).toEqual(['succeeded']);
    expect(times.preparing).toBe(deployment.asked.shown[0]?.deployment.progress.times.preparing);
  });

  test('is not shown when it is over soon', async () => {
    const deployment = await stage.start({}, { root: aRoot({ planReview: 'auto' }) });

    await deployment.result();

    expect(shownBy(deployment.asked).flat()).not.toContain('host');
  });

  test('is shown again when its reason changes', async () => {
    const free = Promise.withResolvers<string>();
    let sentence = FULL;
    const deployment = await stage.start({ claim: () => free.promise, whyNoHost: () => sentence }, auto);
    await told(deployment, FULL);

    sentence = NONE;
    await told(deployment, NONE);
    free.resolve('h1');

    await deployment.result();
    const waits = shownBy(deployment.asked).filter((one) => one.includes('host'));
    expect(waits).toEqual([
      ['preparing', FULL, 'host'],
      ['preparing', NONE, 'host'],
    ]);
  });

  test('is looked at less and less often, and tries nothing in between', async () => {
    const free = Promise.withResolvers<string>();
    let looks = 0;
    const whyNoHost = () => {
      looks += 1;
      return FULL;
    };
    const began = Date.now();
    const deployment = await stage.start({ claim: () => free.promise, whyNoHost }, { ...auto, durations: SECONDS });
    await told(deployment, FULL);

    await deployment.until('some pauses to be over', () => looks >= LOOKS);

    expect(Date.now() - began).toBeGreaterThanOrEqual(PAUSES_MS);
    await eventually(async () => {
      const pending = await pendingIn(deployment);
      return isDeepStrictEqual(pending, ['claimAndPlan']) ? pending : new Error(`found ${pending.join(', ')} pending`);
    });
    free.resolve('h1');
    await deployment.result();
  });

  test('before the apply is shown as well, and costs neither the approval nor patience with failures', async () => {
    const free = Promise.withResolvers<string>();
    const deployment = await stage.start(
      {
        claim: (attempt) =>
          attempt === 0 ? Promise.resolve('h1') : attempt === 1 ? free.promise : Promise.resolve('h3'),
        apply: (hostId) =>
          hostId === 'h3'
            ? Promise.resolve({ kind: 'applied', counts: COUNTS })
            : Promise.reject(ApplicationFailure.retryable('4 of 4 slots are in use', 'HOST_DECLINED')),
        whyNoHost: () => FULL,
      },
      { durations: { ...soon, patienceMs: PATIENCE_MS } },
    );
    await deployment.reached('awaiting-review');
    await deployment.review();
    await told(deployment, FULL);
    await deployment.record('waiting-for-a-host-to-apply');
    const waits = Date.now();
    await deployment.until('more time than the patience has', () => Date.now() - waits > PATIENCE_MS);

    free.resolve('h2');

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', hostId: 'h3' });
    expect(shownBy(deployment.asked)).toContainEqual(['applying', FULL, 'host']);
    expect(shownBy(deployment.asked).at(-1)).not.toContain('host');
    expect(deployment.asked.calls.filter((call) => call.startsWith('plan'))).toEqual(['plan h1']);
  });

  test('ends with a cancellation', async () => {
    const deployment = await stage.start({ claim: declined, whyNoHost: () => NONE }, { durations: soon });
    await told(deployment, NONE);

    await deployment.handle.cancel();

    const result = await deployment.result();
    expect(result.status).toBe('cancelled');
    expect(result).not.toHaveProperty('waitsFor');
  });
});

const SECONDS = { claimShownAfterMs: 20, claimRefreshMs: 100 };

/** Between five looks there are pauses of 100, 200, 400 and 800 ms. */
const LOOKS = 5;
const PAUSES_MS = 1_500;

/** More than failures and pauses of this test take. */
const PATIENCE_MS = 10_000;

/** The queues of the activities with this name. */
async function queuesOf({ handle }: Played, activity: string): Promise<readonly unknown[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? [])
    .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
    .filter((scheduled) => scheduled?.activityType?.name === activity)
    .map((scheduled) => scheduled?.taskQueue?.name);
}

/** The names of the activities that wait or run. */
async function pendingIn({ handle }: Played): Promise<readonly unknown[]> {
  const { raw } = await handle.describe();
  return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name);
}

/** Status, reason and what it waits for, as the check run said them. */
function shownBy({ shown }: Asked): readonly (readonly string[])[] {
  return shown.map(
    ({
      deployment: {
        progress: { status, reason, waitsFor },
      },
    }) =>
      [status, reason, typeof waitsFor === 'object' ? waitsFor.gate : waitsFor].filter((part) => part !== undefined),
  );
}

const told = (deployment: Played, reason: string) =>
  deployment.until(
    `the check run to say: ${reason}`,
    ({ shown }) => shown.at(-1)?.deployment.progress.reason === reason,
  );
