import { expect, test } from '@jest/globals';
import { LaneWaits } from '@nereid/api';
import { aConsole, aLaneRecord, RUNNING } from '@nereid/console/testing';
import { describeWave } from '@nereid/domain/gates';
import { aBreakGlass, aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { nereidInside } from '../../testing/run.ts';

const NOW = '2026-01-31T16:00:00.000Z';
const PLAN = { ...aPlan(), expiresAt: '2026-02-07T16:00:00.000Z' };
const REVIEW = aDeployment({ status: 'awaiting-review', plan: PLAN });
const HALTED = { kind: 'halted', rootName: 'network', how: 'failed to apply' } as const;
const QUEUED = { ...aDeployment({ status: 'queued' }), id: '33333333-0d4b-4e7a-9c55-1f0e6b7a2d90' };
const WHY = ['why', 'acme/infra/network'];
const atNow = { now: () => Date.parse(NOW) };

test('it says of each deployment what it waits for, who can end that, and when it ends by itself', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: REVIEW, merged: [QUEUED] } });

  const { status, stdout, stderr } = await nereidInside(WHY, { console, ...atNow });

  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`acme/infra/network

abc1234 by @alice  awaiting-review  Add a bucket
  review: this plan waits for a review
    Confirm: write permission
    Reject: write permission
    ends by itself in 7d (2026-02-07T16:00:00.000Z)

abc1234 by @alice  queued  Add a bucket
  queue: one deployment of this lane goes first
    the deployments that go first, when they end
`);
});

test('it says that a window closes soon, also of a deployment that waits for nothing', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING }, windows: [closingIn(3_600_000)] });

  const { stdout } = await nereidInside(WHY, { console, ...atNow });

  expect(stdout).toMatch(
    /\n {2}window: Closes \w{3} \d\d:\d\d UTC \(change freeze “Year end”\): an apply that has not begun by then waits until \w{3} \d\d:\d\d\n/,
  );
});

/** By the clock of the console. */
function closingIn(ms: number) {
  const dtstart = new Date(Date.now() + ms).toISOString().slice(0, 16);
  const scope = { repositories: [], roots: [] };
  return {
    name: 'Year end',
    kind: 'deny',
    dtstart,
    durationMs: 3_600_000,
    timezone: 'UTC',
    doors: ['apply'],
    ...scope,
  } as const;
}

test('it says who lets it pass stops and windows, why, since when, and until when', async () => {
  const at = '2026-01-31T14:00:00.000Z';
  const glass = aBreakGlass({ digest: PLAN.made.body.digest, at, until: '2026-02-01T14:00:00.000Z' });
  const applying = aDeployment({ status: 'applying', plan: PLAN, glass });
  const console = await aConsole({ isLocal: true, lane: { running: applying } });

  const { stdout } = await nereidInside(WHY, { console, ...atNow });

  expect(stdout).toContain(`
  break-glass: @ada lets its apply pass stops and windows: the site is down
    since 2h ago (${at}), ends by itself in 22h (2026-02-01T14:00:00.000Z)
`);
});

test('it says plainly that nothing waits', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });

  const { stdout } = await nereidInside(WHY, { console, ...atNow });

  expect(stdout).toMatch(/^Nothing waits in acme\/infra\/network\.\n/);
});

test('it says of a lane that is locked what the next deployment will wait for', async () => {
  const lock = aLock('failed');
  const console = await aConsole({ isLocal: true, lane: { lock } });

  const { stdout } = await nereidInside(WHY, { console, ...atNow });

  expect(stdout).toMatch(/\nIt is locked by a failed apply of \w+: the next deployment will wait\./);
  expect(stdout).toContain(
    `nereid rerun ${lock.deploymentId} plans what is left; nereid unlock acme/infra/network is for`,
  );
});

test('it says of a failed deployment how many roots of its rollout it halts, and what resumes that', async () => {
  const console = await aConsole({ isLocal: true });
  const reason = describeWave({ name: 'canary', number: 1, of: 2, standing: HALTED });
  const waitsFor = { gate: 'soak', who: ['rerun', 'skip_soak'] } as const;
  const running = aDeployment({ status: 'blocked', reason, waitsFor });
  await console.lanes.write(aLaneRecord({ rootName: 'network' }), null);
  await console.lanes.write(aLaneRecord({ rootName: 'edge-2', running }), null);

  const { stdout } = await nereidInside(WHY, { console, ...atNow });

  expect(stdout).toBe(`Nothing waits in acme/infra/network.
Its failed deployment halts one root of the rollout: nereid rerun acme/infra/network, or a merged fix, resumes it.
`);
});

test('as JSON, it is the answer of the API', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: REVIEW, merged: [QUEUED] } });

  const { stdout } = await nereidInside([...WHY, '--json'], { console, ...atNow });

  expect(LaneWaits.parse(JSON.parse(stdout)).items.map(({ reasons }) => reasons.map(({ gate }) => gate))).toEqual([
    ['review'],
    ['queue'],
  ]);
});

test('a root that nobody has deployed to is not found', async () => {
  const console = await aConsole({ isLocal: true });

  expect(await nereidInside(WHY, { console })).toMatchObject({ status: 3 });
});
