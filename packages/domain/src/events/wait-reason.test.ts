import { expect, test } from '@jest/globals';
import type { Lock, Progress } from '../deployment/index.ts';
import { aPlan } from '../testing/samples.ts';
import { deploymentAt, NOW, NOW_MS } from '../testing.ts';
import { waitReasonOf } from './wait-reason.ts';

const LOCK: Lock = { kind: 'manual', deploymentId: 'other', revision: 'b'.repeat(40), by: 'alice', at: NOW };

const standing = (progress: Partial<Progress>) => {
  const deployment = deploymentAt(3);
  return { deployment: { ...deployment, progress: { ...deployment.progress, ...progress } } };
};

test.each([
  ['review', { status: 'awaiting-review', plan: aPlan() }],
  ['host', { status: 'preparing', waitsFor: 'host' }],
  ['host', { status: 'applying', waitsFor: 'host' }],
  ['order', { status: 'queued', reason: 'waits for network' }],
  ['outside', { status: 'blocked' }],
  ['stop', { status: 'blocked', waitsFor: { gate: 'stop', who: ['thaw'] } }],
  ['window', { status: 'blocked', waitsFor: { gate: 'window', who: ['operators'] } }],
] as const)('a deployment waits for its %s: %j', (reason, progress) => {
  expect(waitReasonOf(standing(progress), NOW_MS)).toBe(reason);
});

test('a lock comes before other lanes, because a person has to lift it', () => {
  expect(waitReasonOf({ ...standing({ status: 'queued', reason: 'waits for network' }), lock: LOCK }, NOW_MS)).toBe(
    'turn',
  );
});

test('a plan that its review lets pass waits for nobody any more', () => {
  const review = { answer: 'approved', by: 'grace', at: NOW } as const;

  expect(waitReasonOf(standing({ status: 'awaiting-review', plan: aPlan(), review }), NOW_MS)).toBeUndefined();
});

test.each(['queued', 'preparing', 'planning', 'applying', 'succeeded', 'refused'] as const)(
  'a deployment that is %s waits for nothing',
  (status) => {
    expect(waitReasonOf(standing({ status }), NOW_MS)).toBeUndefined();
  },
);
