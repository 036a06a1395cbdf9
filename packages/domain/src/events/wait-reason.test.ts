import { expect, test } from '@jest/globals';
import type { Lock, Progress } from '../deployment/index.ts';
import { deploymentAt, NOW } from '../testing.ts';
import { waitReasonOf } from './wait-reason.ts';

const LOCK: Lock = { kind: 'manual', deploymentId: 'other', revision: 'b'.repeat(40), by: 'alice', at: NOW };

const standing = (progress: Partial<Progress>) => {
  const deployment = deploymentAt(3);
  return { deployment: { ...deployment, progress: { ...deployment.progress, ...progress } } };
};

test.each([
  ['review', { status: 'awaiting-review' }],
  ['host', { status: 'preparing', waitsFor: 'host' }],
  ['host', { status: 'applying', waitsFor: 'host' }],
  ['lanes', { status: 'queued', reason: 'waits for network' }],
  ['blocked', { status: 'blocked' }],
  ['gate', { status: 'blocked', waitsFor: 'gate' }],
] as const)('a deployment waits for its %s: %j', (reason, progress) => {
  expect(waitReasonOf(standing(progress))).toBe(reason);
});

test('a lock comes before other lanes, because a person has to lift it', () => {
  expect(waitReasonOf({ ...standing({ status: 'queued', reason: 'waits for network' }), lock: LOCK })).toBe('lock');
});

test.each(['queued', 'preparing', 'planning', 'applying', 'succeeded', 'refused'] as const)(
  'a deployment that is %s waits for nothing',
  (status) => {
    expect(waitReasonOf(standing({ status }))).toBeUndefined();
  },
);
