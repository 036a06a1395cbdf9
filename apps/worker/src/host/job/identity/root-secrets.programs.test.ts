/** Jobs of a real Terraform in their sandboxes: which secrets of the host they have, and what they leave. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { serverWith } from '../../../platform/tokens/identity/testing/test-issuer.ts';
import { openedBy } from '../../../testing/test-signatures.ts';
import type { TestHost } from '../../testing/open-test-host.ts';
import { hostsOfEachTest } from '../../testing/test-hosts.ts';
import { applyOf } from '../../testing/test-jobs.ts';
import type { HostTools } from '../tools.ts';
import { leftTokens } from './job-identity.ts';

const { repositories } = serverWith(`
  - match: acme/infra
    env_from:
      preview: { API_TOKEN: preview }
      plan: { API_TOKEN: plan }
      apply: { API_TOKEN: apply, CERTIFICATE: certificate }
terraform: { secrets_folder: /etc/root-secrets }`);

const SECRETS = {
  preview: 'the-word-of-previews',
  plan: 'the-word-of-plans\n',
  apply: 'the-word-of-applies\n',
  certificate: '-----BEGIN-----\nfirst line of it\n-----END-----\n',
};

const hosts = hostsOfEachTest();
let secretsFolder: string;

beforeEach(async () => {
  secretsFolder = `${hosts.stateDir}-secrets`;
  await mkdir(secretsFolder);
  for (const [name, value] of Object.entries(SECRETS)) await writeFile(join(secretsFolder, name), value);
});

afterEach(async () => {
  await rm(secretsFolder, { recursive: true, force: true });
});

test('a plan and its apply have each its own secrets, and no log shows one', async () => {
  const host = openHost();
  const job = await hosts.deploy(filesWith(reported('apply')), { plan: [{ kind: 'run', run: reported('plan') }] });
  const apply = applyOf(job, await host.plan(job));

  expect(await host.apply(apply)).toMatchObject({ kind: 'applied' });

  const [planned, applied] = [await environmentOf('plan'), await environmentOf('apply')];
  expect(planned).toContain('API_TOKEN=the-word-of-plans\n');
  expect(planned).not.toContain('CERTIFICATE');
  expect(applied).toContain('API_TOKEN=the-word-of-applies\n');
  expect(applied).toContain('CERTIFICATE=-----BEGIN-----\nfirst line of it\n-----END-----\n');
  for (const each of [job, apply]) {
    const log = await hosts.readLog(each);
    expect(log).toContain('API_TOKEN=***');
    expect(log).not.toMatch(/the-word-of|first line of it/);
    await expect(stat(join(hosts.jobFolderOf(each), 'root-secrets.json'))).rejects.toThrow('ENOENT');
  }
});

test('a plan of a pull request has only what is meant for previews', async () => {
  const host = openHost();
  const job = await hosts.preview({
    base: {},
    head: filesWith('true'),
    stepsBefore: { plan: [{ kind: 'run', run: reported('preview') }] },
  });

  await host.plan(job);

  expect(await environmentOf('preview')).toContain('API_TOKEN=the-word-of-previews\n');
  expect(await hosts.readLog(job)).not.toContain('the-word-of');
});

test('without the file nothing is planned, nobody tries again, and the error names the file', async () => {
  await rm(join(secretsFolder, 'plan'));
  const job = await hosts.deploy(filesWith('true'), { plan: [{ kind: 'run', run: reported('plan') }] });

  const refused = openHost().plan(job);

  await expect(refused).rejects.toMatchObject({ type: 'ROOT_SECRET', nonRetryable: true });
  await expect(refused).rejects.toThrow(
    'in the file "plan" of terraform.secrets_folder, found no such file; put it there',
  );
  await expect(environmentOf('plan')).rejects.toThrow('ENOENT');
});

test('without the file an apply has failed before Terraform starts, and says which', async () => {
  const host = openHost();
  const job = await hosts.deploy(filesWith(reported('apply')));
  const apply = applyOf(job, await host.plan(job));
  await rm(join(secretsFolder, 'certificate'));

  expect(await host.apply(apply)).toMatchObject({
    kind: 'failed',
    failure: {
      body: {
        summary: 'Nothing was applied: a secret of this root is missing',
        lines: [expect.stringContaining('expected the secret CERTIFICATE in the file "certificate"')],
      },
    },
  });
  expect(await hosts.state()).toBeUndefined();
  expect(await hosts.readLog(apply)).toContain('"certificate" of terraform.secrets_folder, found no such file');
});

test('the secrets that a lost worker used are known until they are removed; then the output of its job is not shown', async () => {
  const job = await hosts.deploy(filesWith('true'));
  const context = {
    config: { workDir: join(hosts.treeOf(job), '../..') },
    server: { current: () => ({ repositories }) },
  };
  const tools = { context: context as unknown as HostTools['context'] }; // All that it asks.
  const opened = await openedBy(job);

  expect(await leftTokens(tools, opened)).toBeUndefined();
  await mkdir(hosts.jobFolderOf(job), { recursive: true });
  await writeFile(join(hosts.jobFolderOf(job), 'root-secrets.json'), '["one"]');
  expect(await leftTokens(tools, opened)).toEqual(['one']);
});

function openHost(): TestHost {
  return hosts.openHost({ repositories, secretsFolder });
}

/** A root whose apply runs the command. */
function filesWith(command: string): Readonly<Record<string, string>> {
  const provisioner = `  provisioner "local-exec" {\n    command = ${JSON.stringify(command)}\n  }`;
  return { 'main.tf': `terraform {\n  backend "local" {}\n}\nresource "terraform_data" "job" {\n${provisioner}\n}\n` };
}

/** Prints the environment of the job, and writes it where this test finds it. */
function reported(name: string): string {
  return `env | tee ${join(hosts.stateDir, name)}.env`;
}

async function environmentOf(name: string): Promise<string> {
  return readFile(join(hosts.stateDir, `${name}.env`), 'utf8');
}
