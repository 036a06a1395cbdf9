import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { deploymentAt } from '@nereid/domain/testing';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { serverWith } from '../../../platform/tokens/identity/testing/test-issuer.ts';
import type { OpenedJob } from '../../../platform/tokens/opened-job.ts';
import type { HostTools } from '../tools.ts';
import { jobFolderIn } from '../workspace.ts';
import { appliesAsAnother } from './given-identity.ts';
import { closeIdentity, openIdentity } from './job-identity.ts';

const JOB = {
  ...{ deploymentId: 'd', jobId: 'd-plan-1', repository: { owner: 'acme', name: 'infra' } },
  root: { ...deploymentAt(1).root, planReview: 'required' },
} as unknown as OpenedJob; // All that is asked of it.

const folder = folderOfEachTest();
let warned: unknown[];
let tools: Pick<HostTools, 'context' | 'sandbox'>;

beforeEach(async () => {
  warned = [];
  const secretsFolder = join(folder, 'secrets');
  await mkdir(secretsFolder);
  for (const name of ['preview', 'same']) await writeFile(join(secretsFolder, name), `the word of ${name}\n`);
  const { repositories } = serverWith(`
  - match: acme/infra
    env_from: { preview: { API_TOKEN: preview }, plan: { API_TOKEN: same }, apply: { API_TOKEN: same } }
terraform: { secrets_folder: /etc/root-secrets }`);
  const allowed = { envAllow: [], envAllowPlan: [], envAllowApply: [], envAllowPreview: [] };
  const context = {
    config: { workDir: join(folder, 'work') },
    server: { current: () => ({ repositories, terraform: { secretsFolder, ...allowed } }) },
    logger: { warn: (fields: unknown) => warned.push(fields) },
  };
  tools = { context: context as unknown as HostTools['context'], sandbox: {} as HostTools['sandbox'] }; // All that is asked.
});

const jobFolder = () => jobFolderIn(tools.context.config.workDir, JOB);

const open = (more: object) => openIdentity(tools, { ...JOB, ...more }, { jobFolder: jobFolder() }, undefined);

const left = () => readFile(join(jobFolder(), 'root-secrets.json'), 'utf8');

test('the secrets of an apply are left for the worker that comes after this one, until the identity is closed', async () => {
  await open({ go: {} });

  expect(await left()).toContain('the word of same');
  await closeIdentity(tools, JOB);
  await expect(left()).rejects.toThrow('ENOENT');
});

test.each([
  ['a plan', {}, 'the word of same'],
  ['a preview', { preview: {} }, 'the word of preview'],
])('the secrets of %s are never on the disk of its job', async (_what, more, secret) => {
  expect((await open(more)).env).toEqual({ API_TOKEN: secret });

  await expect(stat(jobFolder())).rejects.toThrow('ENOENT');
});

test('both places are tried when an identity is closed, and the log has the failure of each', async () => {
  await mkdir(dirname(jobFolder()), { recursive: true });
  await writeFile(jobFolder(), 'no folder');

  await closeIdentity(tools, JOB);

  expect(warned).toMatchObject([{ err: { errors: [{ code: 'ENOTDIR' }, { code: 'ENOTDIR' }] } }]);
});

test('an apply is somebody else than its plan where a preview with other secrets may have made it', () => {
  const confirmed = { ...JOB, root: { ...JOB.root, planReview: 'before_merge' } } as const;

  expect(appliesAsAnother(tools, JOB)).toBe(false);
  expect(appliesAsAnother(tools, confirmed)).toBe(true);
});
