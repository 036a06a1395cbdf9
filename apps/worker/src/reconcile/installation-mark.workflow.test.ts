import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigurationError } from '@nereid/config';
import { WATCH_SCHEDULE } from '@nereid/domain/temporal-names';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { marksOf, requireOwnNamespace } from './installation-mark.ts';
import { ensureSchedules } from './schedules.ts';

let environment: WorkflowEnvironment;

beforeEach(async () => {
  environment = await createWorkflowEnvironment();
});

afterEach(() => environment.close());

const [ours, others] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const OURS = marksOf({ privateKey: ours.privateKey, publicKeys: [] });
const OTHERS = marksOf({ privateKey: others.privateKey, publicKeys: [] });

test('a namespace belongs to the installation that began in it, and to no other', async () => {
  const { client, namespace } = environment;
  await requireOwnNamespace(client, OURS);
  await ensureSchedules(client, OURS);

  await requireOwnNamespace(client, OURS);
  const refused = requireOwnNamespace(client, OTHERS);

  await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
  await expect(refused).rejects.toThrow(
    `expected the namespace ${namespace} to be of this installation, found one of another`,
  );
});

test('keys rotate: with the earlier key among its public ones, an installation stays the same, and leaves its later mark', async () => {
  const { client } = environment;
  await ensureSchedules(client, OURS);
  const rotated = marksOf({ privateKey: others.privateKey, publicKeys: [ours.publicKey] });

  await requireOwnNamespace(client, rotated);
  await ensureSchedules(client, rotated);

  await requireOwnNamespace(client, OTHERS);
});

test('the mark stays on a schedule that an operator paused', async () => {
  const { client } = environment;
  await ensureSchedules(client, OURS);
  await client.schedule.getHandle(WATCH_SCHEDULE).pause('maintenance');

  await ensureSchedules(client, OURS);

  await expect(requireOwnNamespace(client, OTHERS)).rejects.toBeInstanceOf(ConfigurationError);
});

test('without its earlier key, an installation takes the namespace again once the schedule is gone', async () => {
  const { client } = environment;
  await ensureSchedules(client, OURS);
  await client.schedule.getHandle(WATCH_SCHEDULE).delete();

  await requireOwnNamespace(client, OTHERS);
  await ensureSchedules(client, OTHERS);

  await expect(requireOwnNamespace(client, OURS)).rejects.toBeInstanceOf(ConfigurationError);
});
