import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aProviderMirror, rootWith } from '@nereid/terraform/testing';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { hostsOfEachTest } from './testing/test-hosts.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';

const hosts = hostsOfEachTest();
const dir = folderOfEachTest();

test('a provider is downloaded once, for all deployments of a host', async () => {
  const mirror = await aProviderMirror(dir);
  const host = hosts.openHost({ environment: { TF_CLI_CONFIG_FILE: mirror.configFile }, sandboxRead: [dir] });
  const files = { 'main.tf': LOCAL, 'providers.tf': rootWith('demo') };
  await mirror.offer('demo', 'a program that is no provider');
  const first = await hosts.deploy(files, {
    plan: [
      { kind: 'init', extraArgs: [] },
      { kind: 'run', run: `cp .terraform.lock.hcl ${hosts.stateDir}/lock` },
    ],
  });
  await host.plan(first);
  await mirror.offer('demo', null);
  const lockFile = await readFile(join(hosts.stateDir, 'lock'), 'utf8');

  const second = await hosts.deploy({ ...files, '.terraform.lock.hcl': lockFile });
  await host.plan(second);

  expect(await hosts.readLog(first)).toContain('Installing hashicorp/demo');
  expect(await hosts.readLog(second)).toContain('Using hashicorp/demo v1.2.3 from the shared cache directory');
});

test('code of a root cannot change its providers, whose files are those of other roots too', async () => {
  const mirror = await aProviderMirror(dir);
  const host = hosts.openHost({ environment: { TF_CLI_CONFIG_FILE: mirror.configFile }, sandboxRead: [dir] });
  await mirror.offer('demo', 'a program that is no provider');
  const change = 'file=$(find -L .terraform/providers -name LICENSE.txt); chmod u+w "$file"; echo changed >> "$file"';

  const job = await hosts.deploy(
    { 'main.tf': LOCAL, 'providers.tf': rootWith('demo') },
    {
      plan: [
        { kind: 'init', extraArgs: [] },
        { kind: 'run', run: change },
      ],
    },
  );
  const plan = await host.plan(job);

  expect(plan).toMatchObject({ kind: 'failed' });
  expect(await hosts.readLog(job)).toMatch(/LICENSE\.txt['"]?: Read-only file system/);
});
