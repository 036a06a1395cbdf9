import { expect, test } from '@jest/globals';
import type { DeploymentStatus, Lock } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import { aRecord, deploymentAt, NOW, NOW_MS, progressAs } from '@nereid/domain/testing';
import { waitsInLane } from './waits-in-lane.ts';

const LOCK: Lock = { kind: 'manual', deploymentId: 'other', revision: 'b'.repeat(40), by: 'alice', at: NOW };

const running = deploymentAt(1, { progress: progressAs('preparing') });
const next = deploymentAt(2, { receivedAt: NOW });

const reasonsIn = (record: Partial<LaneRecord>, status?: DeploymentStatus) =>
  waitsInLane(aRecord(record), { status }, NOW_MS).map(({ reason }) => reason);

test('a deployment waits with its repository, its reason, and since it came', () => {
  expect(waitsInLane(aRecord({ merged: [next], lock: LOCK }), {}, NOW_MS)).toEqual([
    { repository: 'acme/infra', reason: 'turn', since: NOW_MS },
  ]);
});

test.each([
  ['awaiting-review', ['review', 'review']],
  ['preparing', ['host', 'host']],
  // Its workflow is blocked by nothing but gates.
  ['blocked', ['window', 'window']],
  ['planning', ['queue']],
  ['applying', ['queue']],
  // It has ended, and its lane has not heard of that.
  [undefined, ['queue']],
] as const)('behind a deployment that is %s, others wait for the same', (status, reasons) => {
  expect(reasonsIn({ running, merged: [next] }, status)).toEqual(reasons);
});

test('behind a deployment that a stop keeps from its apply, others wait for the same', () => {
  const waiting = waitsInLane(aRecord({ running, merged: [next] }), { status: 'blocked', gate: 'stop' }, NOW_MS);

  expect(waiting.map(({ reason }) => reason)).toEqual(['stop', 'stop']);
});

test('a deployment that something outside holds up has no workflow yet', () => {
  const blocked = deploymentAt(1, { progress: progressAs('blocked') });

  expect(reasonsIn({ running: blocked, merged: [next] })).toEqual(['outside', 'outside']);
  const closed = { ...blocked, progress: { ...blocked.progress, waitsFor: { gate: 'stop', who: [] } as const } };
  expect(reasonsIn({ running: closed, merged: [next] })).toEqual(['stop', 'stop']);
});

test('a deployment that a lock lets pass waits for its turn, or for other lanes', () => {
  const manual = deploymentAt(3, { trigger: 'manual' });
  const held = deploymentAt(4, { progress: { ...progressAs('queued'), reason: 'waiting for dns' } });

  expect(reasonsIn({ manual: [manual], lock: LOCK })).toEqual(['queue']);
  expect(reasonsIn({ merged: [held] })).toEqual(['order']);
});

test('in a lane without work, nothing waits', () => {
  expect(reasonsIn({})).toEqual([]);
});
