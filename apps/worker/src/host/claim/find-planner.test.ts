import { expect, test } from '@jest/globals';
import { plannerIn } from './find-planner.ts';

const HOST = '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90';

const seconds = Date.parse('2026-01-31T14:00:00.000Z') / 1_000;

/** As Temporal describes a plan that a host took. */
const PLANNING = {
  activityType: { name: 'claimAndPlan' },
  state: 2,
  lastWorkerIdentity: HOST,
  lastStartedTime: { seconds, nanos: 0 },
  lastHeartbeatTime: { seconds, nanos: 5 },
  heartbeatDetails: { payloads: [{}] },
} as unknown as Parameters<typeof plannerIn>[0][number]; // Temporal counts seconds in its own type.

test('the host that took a plan is the worker that runs it, since it began', () => {
  expect(plannerIn([PLANNING])).toEqual({ kind: 'at work', hostId: HOST, since: '2026-01-31T14:00:00.000Z' });
});

test.each([
  ['nothing is under way', []],
  ['something else is', [{ ...PLANNING, activityType: { name: 'showCheckRun' } }]],
  ['no host took it', [{ ...PLANNING, lastWorkerIdentity: '', heartbeatDetails: null }]],
  ['a host may still decline it', [{ ...PLANNING, heartbeatDetails: null }]],
  ['it waits again', [{ ...PLANNING, state: 1 }]],
  ['an earlier attempt alone was heard of', [{ ...PLANNING, lastHeartbeatTime: { seconds: seconds - 1, nanos: 0 } }]],
  ['what took it has the name of no host', [{ ...PLANNING, lastWorkerIdentity: '@carol' }]],
])('nobody is said to plan while %s', (_when, activities) => {
  expect(plannerIn(activities as readonly (typeof PLANNING)[])).toBeUndefined();
});
