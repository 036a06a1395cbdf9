import type { ButtonEvent, ReceivedEvent } from '@nereid/domain/intake';
import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import type { WorkerContext } from '../platform/context.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { signedEvent, testSignatures } from '../testing/test-signatures.ts';
import { createIntakeActivities } from './intake-activities.ts';

const PRESS: ButtonEvent = {
  kind: 'button',
  repository: { owner: 'acme', name: 'infra', installationId: 1 },
  checkRun: { id: 7, name: 'nereid/deploy: network', headSha: 'a'.repeat(40), externalId: 'd1', conclusion: null },
  button: { kind: 'confirm', mark: '0123456789ab' },
  sender: 'officer',
};

const DAY_MS = 24 * 3_600_000;

test.each<[string, (received: ReceivedEvent) => ReceivedEvent]>([
  ['was never signed', ({ signature: _none, ...received }) => received],
  ['names another person', (received) => ({ ...received, event: { ...PRESS, sender: 'mallory' } })],
  ['says another thing', (received) => ({ ...received, event: { ...PRESS, button: { kind: 'unlock' } } })],
  ['has another delivery', (received) => ({ ...received, delivery: randomUUID() })],
  ['has another body', (received) => ({ ...received, bodyDigest: 'a'.repeat(64) })],
  ['was made younger', (received) => ({ ...received, receivedAt: new Date(Date.now() + DAY_MS).toISOString() })],
])('an event that %s is not taken', async (_what, forge) => {
  await expect(handleEvent(forge(await received()))).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
});

test('an event that somebody kept for days is not taken', async () => {
  const kept = await received(new Date(Date.now() - 3 * DAY_MS - 1_000));

  await expect(handleEvent(kept)).rejects.toMatchObject({ type: 'EVENT_EXPIRED', nonRetryable: true });
});

function received(at = new Date()): Promise<ReceivedEvent> {
  return signedEvent({ version: 1, delivery: randomUUID(), receivedAt: at.toISOString(), event: PRESS });
}

/** Whatever the activity would touch besides signatures and metrics is not there. */
function handleEvent(event: ReceivedEvent): Promise<unknown> {
  const activities = createIntakeActivities({
    signatures: testSignatures,
    metrics: createMetrics(),
  } as unknown as WorkerContext);
  const activity = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return activity.run(() => activities.handleEvent(event));
}
