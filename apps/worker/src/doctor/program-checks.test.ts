import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aReleaseMirror, aVendorKey, type ReleaseMirror } from '@nereid/terraform/testing';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { programChecks } from './program-checks.ts';

const folder = folderOfThisFile();
let mirror: ReleaseMirror;

beforeAll(async () => {
  mirror = await aReleaseMirror({}, await aVendorKey());
});

afterAll(async () => {
  await mirror[Symbol.asyncDispose]();
});

/** Nothing listens on the port that is reserved for "discard". */
const NOWHERE = 'http://127.0.0.1:9';

describe('a Terraform that is not on this machine', () => {
  test('is fetched when a root needs it, if its releases can be reached from here', async () => {
    expect(await findingOf('terraform', { mirror: mirror.url, downloads: true })).toMatchObject({
      outcome: 'skip',
      found: 'terraform is not here, and will be fetched when a root needs it',
    });
    expect(mirror.requests).toEqual(['/terraform/index.json']);
  });

  test('is missed before a root needs it, if they cannot', async () => {
    expect(await findingOf('terraform', { mirror: NOWHERE, downloads: true })).toMatchObject({
      outcome: 'fail',
      found: expect.stringMatching(/^expected an answer of http:.*, where terraform is published, found none: ./),
      remedy: 'let this machine reach it, or name a mirror in terraform.mirror',
    });
    expect(await findingOf('terraform', { mirror: `${mirror.url}wrong`, downloads: true })).toMatchObject({
      outcome: 'fail',
      found: expect.stringContaining('found HTTP status 404'),
    });
  });

  test('is missed where nothing may be fetched', async () => {
    expect(await findingOf('terraform', { downloads: false })).toMatchObject({ outcome: 'fail' });
  });
});

test('conftest is looked for only where policies judge plans', async () => {
  const policies = [{ name: 'cost' }];

  expect(await findingOf('conftest', { downloads: false }, policies)).toMatchObject({
    outcome: 'fail',
    found: expect.stringContaining('conftest in PATH or in the cache'),
    remedy: 'install conftest on the worker',
  });
  expect(await findingOf('conftest', { downloads: false })).toBeUndefined();
});

async function findingOf(name: string, terraform: object, policies: readonly object[] = []) {
  type Config = Parameters<typeof programChecks>[0];
  const config = {
    dataDir: folder,
    roles: ['terraform'],
    server: { current: () => ({ terraform: { distribution: 'terraform', ...terraform }, policies }) },
  } as unknown as Config; // Of the server's file, no more is read.
  const check = programChecks(config, { PATH: folder }).find((each) => each.name === name);
  return check?.run(new AbortController().signal);
}
