import { expect, test } from '@jest/globals';
import type { DeploymentStatus, Lock } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import { aRecord, deploymentAt, NOW, NOW_MS, progressAs } from '@nereid/domain/testing';
import { waitsInLane } from './waits-in-lane.ts';

const LOCK: Lock = { kind: 'manual', deploymentId: 'other', revision: 'b'.repeat(40), by: 'alice', at: NOW };

const running = deploymentAt(1, { progress: progressAs('preparing') });
const next = deploymentAt(2, { receivedAt: NOW });

const reasonsIn = (record: Partial<LaneRecord>, status?: DeploymentStatus) =>
  waitsInLane(aRecord(record), () => status).map(({ reason }) => reason);

test('a deployment waits with its repository, its reason, and since it came', () => {
  expect(waitsInLane(aRecord({ merged: [next], lock: LOCK }), () => undefined)).toEqual([
    { repository: 'acme/infra', reason: 'lock', since: NOW_MS },
  ]);
});

test.each([
  ['awaiting-review', ['review', 'review']],
  ['preparing', ['host', 'host']],
  // Its workflow is blocked by nothing else.
  ['blocked', ['gate', 'gate']],
  ['planning', ['turn']],
  ['applying', ['turn']],
  // It has ended, and its lane has not heard of that.
  [undefined, ['turn']],
] as const)('behind a deployment that is %s, others wait for the same', (status, reasons) => {
  expect(reasonsIn({ running, merged: [next] }, status)).toEqual(reasons);
});

test('a deployment that something outside holds up has no workflow yet', () => {
  const blocked = deploymentAt(1, { progress: progressAs('blocked') });

  expect(reasonsIn({ running: blocked, merged: [next] })).toEqual(['blocked', 'blocked']);
  const closed = { ...blocked, progress: { ...blocked.progress, waitsFor: 'gate' as const } };
  expect(reasonsIn({ running: closed, merged: [next] })).toEqual(['gate', 'gate']);
});

test('a deployment that a lock lets pass waits for its turn, or for other lanes', () => {
  const manual = deploymentAt(3, { trigger: 'manual' });
  const held = deploymentAt(4, { progress: { ...progressAs('queued'), reason: 'waiting for dns' } });

  expect(reasonsIn({ manual: [manual], lock: LOCK })).toEqual(['turn']);
  expect(reasonsIn({ merged: [held] })).toEqual(['lanes']);
});

test('in a lane without work, nothing waits', () => {
  expect(reasonsIn({})).toEqual([]);
});
