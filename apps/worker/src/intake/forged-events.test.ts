import type { ButtonEvent, ReceivedEvent } from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';
import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import type { WorkerContext } from '../platform/context.ts';
import { publishToNobody } from '../testing/publish-to.ts';
import { signedEvent, testSignatures } from '../testing/test-signatures.ts';
import { createIntakeActivities } from './intake-activities.ts';

const PRESS: ButtonEvent = {
  kind: 'button',
  repository: { owner: 'acme', name: 'infra', installationId: 1 },
  checkRun: { id: 7, name: 'nereid/deploy: network', headSha: 'a'.repeat(40), externalId: 'd1', conclusion: null },
  button: { kind: 'confirm', mark: '0123456789ab' },
  sender: 'officer',
};

const FORGED = { type: 'FORGED', nonRetryable: true };

const DAY_MS = 24 * 3_600_000;

test.each<[string, Partial<ReceivedEvent>]>([
  ['names another person', { event: { ...PRESS, sender: 'mallory' } }],
  ['says another thing', { event: { ...PRESS, button: { kind: 'unlock' } } }],
  ['has another delivery', { delivery: randomUUID() }],
  ['has another body', { bodyDigest: 'a'.repeat(64) }],
  ['was made younger', { receivedAt: new Date(Date.now() + DAY_MS).toISOString() }],
])('an event that %s is not taken', async (_what, forged) => {
  const { body, signature } = await received();

  await expect(handleEvent({ body: { ...body, ...forged }, signature })).rejects.toMatchObject(FORGED);
});

test('an event that was never signed is not taken', async () => {
  const { body } = await received();

  await expect(handleEvent({ body, signature: '' })).rejects.toMatchObject(FORGED);
});

test('an event that somebody kept for days is not taken', async () => {
  const kept = await received(new Date(Date.now() - 3 * DAY_MS - 1_000));

  await expect(handleEvent(kept)).rejects.toMatchObject({ type: 'EVENT_EXPIRED', nonRetryable: true });
});

function received(at = new Date()): Promise<Signed<ReceivedEvent>> {
  return signedEvent({ version: 1, delivery: randomUUID(), receivedAt: at.toISOString(), event: PRESS });
}

/** Whatever the activity would touch besides signatures and events is not there. */
function handleEvent(event: Signed<ReceivedEvent>): Promise<unknown> {
  const activities = createIntakeActivities({
    signatures: testSignatures,
    publish: publishToNobody,
  } as unknown as WorkerContext);
  const activity = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return activity.run(() => activities.handleEvent(event));
}
