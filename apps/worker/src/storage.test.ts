import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import { openStorage } from './storage.ts';
import { HOST_VARIABLES, KEY_VARIABLES } from './testing/test-signatures.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-storage-'));
  const storage = `{ deployments: "file:${folder}", plans: "file:${folder}", logs: "file:${folder}" }`;
  const audit = '{ to: "sns:arn:aws:sns:eu-west-1:123456789012:deploys.fifo" }';
  await writeFile(
    join(folder, 'server.yaml'),
    `repositories: [{ match: acme/* }]\nstorage: ${storage}\naudit: ${audit}\n`,
  );
});

afterEach(() => rm(folder, { recursive: true }));

test('a host alone opens no audit trail, although it shares the file of the server', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const app = {
    GITHUB_APP_ID: '7',
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };

  expect(await hasAudit({ WORKER_ROLES: 'terraform', ...HOST_VARIABLES })).toBe(false);
  expect(await hasAudit({ ...app, ...KEY_VARIABLES })).toBe(true);
});

async function hasAudit(variables: Readonly<Record<string, string>>): Promise<boolean> {
  const common = { NEREID_CONFIG: join(folder, 'server.yaml'), DATA_DIR: folder };
  const storage = await openStorage(readConfig({ ...common, ...variables }, false));
  storage.close();
  return storage.audit !== undefined;
}
