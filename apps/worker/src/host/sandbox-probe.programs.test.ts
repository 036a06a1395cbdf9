import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { probeSandbox } from './sandbox-probe.ts';
import { terraformSettings, type TerraformSettings } from './testing/terraform-settings.ts';

const folder = folderOfEachTest();
let warnings: string[];

beforeEach(() => {
  warnings = [];
});

function probe(changes: Partial<TerraformSettings> = {}, searchPath = process.env['PATH'] ?? '') {
  const terraform = terraformSettings(changes);
  const kept = `file:${join(folder, 'kept')}`;
  const storage = { deployments: kept, plans: 's3://plans', logs: kept, s3: { pathStyle: false }, gs: {}, az: {} };
  const to = [
    { to: `file:${join(folder, 'audit', 'audit.jsonl')}` },
    { to: 'webhook:https://audit.example.org', secretFile: join(folder, 'secrets', 'webhook') },
  ];
  const audit = { to, required: true, sns: {}, pubsub: {} };
  return probeSandbox({
    server: { current: () => ({ terraform, storage, audit }) },
    environment: { PATH: searchPath },
    logger: { warn: (message: string) => warnings.push(message) },
    config: {
      dataDir: join(folder, 'dataDir'),
      workDir: join(folder, 'workDir'),
      secretFiles: [join(folder, 'keys', 'pool-key.pem')],
    },
  });
}

test('a machine that can make sandboxes is in order, and nothing is said', async () => {
  await mkdir(join(folder, 'state'));

  await expect(probe({ sandboxWrite: [join(folder, 'state')], network: 'none' })).resolves.toBeUndefined();

  expect(warnings).toEqual([]);
});

test('without bubblewrap, the worker does not start, and says what is missing', async () => {
  await expect(probe({}, folder)).rejects.toThrow(
    /terraform\.sandbox: .* bwrap is not in PATH: install .* "bubblewrap"/,
  );
});

test('where the machine lets nobody make a sandbox, the worker says why', async () => {
  const bwrap = join(folder, 'bwrap');
  await writeFile(bwrap, '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n');
  await chmod(bwrap, 0o755);

  await expect(probe({}, folder)).rejects.toThrow(
    /found: bwrap: No permissions to create a new namespace; .*sandbox: none/,
  );
});

test('a file that is given to every command must exist', async () => {
  const absent = join(folder, 'absent');

  await expect(probe({ sandboxRead: [absent] })).rejects.toThrow(
    `terraform.sandbox_read: expected a file or folder of this machine, found nothing at ${absent}`,
  );
});

test.each(['dataDir', 'workDir', 'kept', 'audit'] as const)(
  'a file that is given must not show the %s of the worker, not even through a link',
  async (own) => {
    for (const name of ['dataDir', 'workDir', 'kept', 'audit']) await mkdir(join(folder, name));
    await symlink(join(folder, own), join(folder, 'link'));

    await expect(probe({ sandboxRead: [join(folder, 'link')] })).rejects.toThrow(
      /terraform\.sandbox_read: expected a path apart from/,
    );
    await expect(probe({ sandboxWrite: [folder] })).rejects.toThrow(
      /terraform\.sandbox_write: expected a path apart from/,
    );
  },
);

test('a file that is given must not show a key of the worker', async () => {
  await mkdir(join(folder, 'keys'));
  const key = join(folder, 'keys', 'pool-key.pem');
  await writeFile(key, 'the key');
  await symlink(key, join(folder, 'link'));

  for (const path of [key, join(folder, 'keys'), join(folder, 'link')]) {
    await expect(probe({ sandboxRead: [path] })).rejects.toThrow(
      `terraform.sandbox_read: expected a path apart from the worker's own ${key}, found ${path}`,
    );
    await expect(probe({ sandboxWrite: [path] })).rejects.toThrow(/terraform\.sandbox_write: expected a path apart/);
  }
});

test('a file that is given may stand beside a key', async () => {
  await mkdir(join(folder, 'keys'));
  await writeFile(join(folder, 'keys', 'token'), 'of the cloud');

  await expect(probe({ sandboxRead: [join(folder, 'keys', 'token')] })).resolves.toBeUndefined();
});

test('without a sandbox, the worker starts with a warning', async () => {
  await probe({ sandbox: 'none' });

  expect(warnings).toEqual([expect.stringContaining('code of every repository can read all')]);
});
