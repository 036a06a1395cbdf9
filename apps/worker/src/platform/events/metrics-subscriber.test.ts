import { expect, test } from '@jest/globals';
import type { DomainEvent } from '@nereid/domain/events';
import type { IntakeEvent } from '@nereid/domain/intake';
import { deploymentAt, NOW, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { ForgedError } from '@nereid/signature';
import { createMetrics } from '../metrics/metrics.ts';
import { forgedEvent } from './forged-event.ts';
import { createMetricsSubscriber } from './metrics-subscriber.ts';

async function countedOf(event: DomainEvent): Promise<readonly string[]> {
  const metrics = createMetrics();
  await createMetricsSubscriber(metrics)(event);
  const lines = (await metrics.registry.metrics()).split('\n');
  return lines.filter((line) => /^nereid_(deployments|intakes|forged)_total.* [1-9]/.test(line));
}

const deployment = { ...deploymentAt(3), progress: progressAs('succeeded') };
const about = { id: 'e1', repository: REPOSITORY, deployment, since: NOW, sentence: 'Applied' };
const event = { kind: 'push', repository: REPOSITORY } as IntakeEvent; // Only its kind is counted.
const received = { kind: 'received', id: 'e1', delivery: 'd1', event, receivedAt: NOW } as const;

test.each<[string, DomainEvent]>([
  ['nereid_deployments_total{trigger="merge",status="succeeded"} 1', { kind: 'ended', status: 'succeeded', ...about }],
  ['nereid_intakes_total{event="push",outcome="failed"} 1', { ...received, result: { kind: 'failed' } }],
  [
    'nereid_forged_total{kind="decision/review"} 1',
    forgedEvent(new ForgedError('decision/review', 'no signature'), 'd1'),
  ],
])('an event is counted once: %s', async (line, one) => {
  expect(await countedOf(one)).toEqual([line]);
});

test('an end that is stored once more is not counted again', async () => {
  expect(await countedOf({ kind: 'ended', status: 'succeeded', isRepeated: true, ...about })).toEqual([]);
});

test('a deployment that goes on is not counted', async () => {
  expect(await countedOf({ kind: 'applying', ...about })).toEqual([]);
});
