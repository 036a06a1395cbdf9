import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { testdir } from '../../fixtures/fixture.ts';
import { parseLockFile, readLockFile } from './lock-file.ts';

const DIGEST = 'ab'.repeat(32);
const H1 = Buffer.from(DIGEST, 'hex').toString('base64');

const WRITTEN = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "registry.terraform.io/hashicorp/aws" {
  version     = "5.31.0"
  constraints = "~> 5.0, != 5.30.0"
  hashes = [
    "h1:${H1}",
    "zh:${DIGEST}",
  ]
}

provider "tf.example.com:8443/acme-2/my_own" {
  version = "1.0.0-rc.1+build"
  hashes = [
  ]
}
`;

test('providers, versions and h1 hashes are read from what Terraform writes', () => {
  expect(parseLockFile(WRITTEN)).toEqual([
    { path: 'registry.terraform.io/hashicorp/aws/5.31.0', hashes: [DIGEST] },
    { path: 'tf.example.com:8443/acme-2/my_own/1.0.0-rc.1+build', hashes: [] },
  ]);
});

describe('a lock file names nothing', () => {
  test.each([
    ['registry.terraform.io/hashicorp', 'registry.terraform.io/..'],
    ['registry.terraform.io/hashicorp/aws', 'registry.terraform.io/hashicorp/../aws'],
    ['registry.terraform.io/hashicorp/aws', '/etc/hashicorp/aws'],
    ['registry.terraform.io/hashicorp/aws', '../hashicorp/aws'],
    ['registry.terraform.io/hashicorp/aws', 'hashicorp/aws'],
    ['registry.terraform.io', 'registry..io'],
    ['hashicorp/aws', 'hashicorp/.aws'],
    ['hashicorp/aws', 'hashicorp/a\\u0077s'],
    ['hashicorp/aws', 'hashicorp/${aws}'],
    ['5.31.0', '../5.31.0'],
    ['5.31.0', '5.31.0/..'],
    ['5.31.0', '5.31'],
    ['5.31.0', '05.31.0'],
    ['5.31.0', '5.31.0-..'],
    ['5.31.0', '5.31.0\n'],
  ])('a lock file names nothing with %j replaced by %j', (written, hostile) => {
    expect(WRITTEN.replace(written, hostile)).not.toBe(WRITTEN);
    expect(parseLockFile(WRITTEN.replace(written, hostile))).toEqual([]);
  });

  test.each([
    ['another reading of it is possible', WRITTEN.replace('  hashes', '  /*\n  hashes')],
    ['a provider stands there twice', WRITTEN + WRITTEN],
    ['it ends in the middle', WRITTEN.slice(0, -10)],
    ['it is none', 'hello'],
  ])('a lock file names nothing where %s', (_, text) => {
    expect(parseLockFile(text)).toEqual([]);
  });
});

test.each([
  ['too short', H1.slice(4)],
  ['spelt otherwise', `${H1.slice(0, -2)}t=`],
  ['no base64', `../${H1.slice(3)}`],
])('a hash that is %s is none', (_, digest) => {
  expect(parseLockFile(WRITTEN.replace(H1, digest))).toMatchObject([{ hashes: [] }, { hashes: [] }]);
});

test('a root without a lock file names nothing', async () => {
  await using folder = await testdir();

  expect(await readLockFile(folder.path)).toEqual([]);
});

test.each(['/dev/zero', 'pipe', '.terraform.lock.hcl'])(
  'a lock file that is a link to %s names nothing',
  async (target) => {
    await using folder = await testdir();
    await promisify(execFile)('mkfifo', [path.join(folder.path, 'pipe')]);
    await symlink(target, path.join(folder.path, '.terraform.lock.hcl'));

    expect(await readLockFile(folder.path)).toEqual([]);
  },
);
