import { DEFAULT_POOL } from '@nereid/domain/root';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { readConfig, type WorkerConfig } from '../config/config.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { openStorage } from './storage.ts';
import { HOST_VARIABLES, KEY_VARIABLES, SEAL_VARIABLES } from '../../testing/test-signatures.ts';

const folder = folderOfEachTest();

beforeEach(async () => {
  const storage = `{ deployments: "file:${folder}", plans: "file:${folder}", logs: "file:${folder}" }`;
  const audit = '{ to: "sns:arn:aws:sns:eu-west-1:123456789012:deploys.fifo" }';
  await writeFile(
    join(folder, 'server.yaml'),
    `repositories: [{ match: acme/* }]\nstorage: ${storage}\naudit: ${audit}\n`,
  );
});

test('a host alone opens no audit trail, although it shares the file of the server', async () => {
  expect(await hasAudit({ WORKER_ROLES: 'terraform', ...HOST_VARIABLES })).toBe(false);
  expect(await hasAudit({ ...anApp(), ...KEY_VARIABLES })).toBe(true);
});

test('a host alone opens none of the records that control decides by', async () => {
  const storage = await openStorage(configOf({ WORKER_ROLES: 'terraform', ...HOST_VARIABLES }), createMetrics());
  storage.close();

  const { control, audit, ...opened } = storage;
  expect({ control, audit }).toEqual({ control: undefined, audit: undefined });
  expect(Object.keys(opened).toSorted()).toEqual([
    'begunApplies',
    'close',
    'drainRecords',
    'hostRecords',
    'jobLogs',
    'keptPlans',
    'workerDiagnoses',
  ]);
});

test('control alone makes no key of plans, and removes them without one', async () => {
  const storage = await openStorage(
    configOf({ ...anApp(), ...KEY_VARIABLES, ...SEAL_VARIABLES, WORKER_ROLES: 'control' }),
    createMetrics(),
  );

  await storage.keptPlans.of(DEFAULT_POOL).remove('d1');
  storage.close();

  expect(await readdir(folder)).not.toContain('plan-key');
  await expect(storage.keptPlans.of(DEFAULT_POOL).fetch('d1', folder)).rejects.toMatchObject({
    code: 'INVALID_PLAN_KEY',
  });
});

async function hasAudit(variables: Readonly<Record<string, string>>): Promise<boolean> {
  const storage = await openStorage(configOf(variables), createMetrics());
  storage.close();
  return storage.audit !== undefined;
}

function configOf(variables: Readonly<Record<string, string>>): WorkerConfig {
  return readConfig({ NEREID_CONFIG: join(folder, 'server.yaml'), DATA_DIR: folder, ...variables }, false);
}

function anApp() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    GITHUB_APP_ID: '7',
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}
