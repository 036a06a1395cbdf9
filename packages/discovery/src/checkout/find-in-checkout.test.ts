import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { anyPolicy } from '../testing/policy.ts';
import { findInCheckout } from './find-in-checkout.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const MAIN = 'version: 1\ninclude: [roots.yaml]\nroots: [{ dir: app }]\n';
const INCLUDED = 'version: 1\nroots: [{ dir: other }, { name: network, dir: link/net }]\n';

const folder = folderOfEachTest();

test('a root is discovered in the files as they are on the disk', async () => {
  write('a/main.tf', BACKEND);
  write('a/.terraform/modules/x/main.tf', BACKEND);

  expect(await find('a')).toMatchObject({ kind: 'found', config: { name: 'a', dir: 'a' }, realDir: 'a' });
  expect(await find('a')).not.toHaveProperty('declaredIn');
});

test('a declared root has its file, also an included one, and its real directory behind a link', async () => {
  write('nereid.yaml', MAIN);
  write('roots.yaml', INCLUDED);
  write('app/main.tf', '');
  write('real/net/main.tf', '');
  symlinkSync('real', join(folder, 'link'));

  expect(await find('app')).toMatchObject({ kind: 'found', declaredIn: { file: 'nereid.yaml', text: MAIN } });
  expect(await find('network')).toMatchObject({
    kind: 'found',
    config: { dir: 'link/net' },
    realDir: 'real/net',
    declaredIn: { file: 'roots.yaml', text: INCLUDED },
  });
});

test('an unknown root gets the nearest name', async () => {
  write('network/main.tf', BACKEND);

  expect(await find('netwrok')).toMatchObject({
    kind: 'unknown',
    sentence: expect.stringContaining('(did you mean network?)'),
  });
});

test('a broken file has its problems', async () => {
  write('nereid.yaml', 'version: 7\n');

  expect(await find('a')).toMatchObject({ kind: 'problems', file: 'nereid.yaml', problems: [{ path: 'version' }] });
});

test('a submodule counts as in a commit: its files are not looked at', async () => {
  write('nereid.yaml', 'version: 1\nroots: [{ dir: sub/a }]\n');
  write('sub/.git', 'gitdir: elsewhere\n');
  write('sub/b/main.tf', BACKEND);

  expect(await find('sub-a')).toMatchObject({ kind: 'found' });
});

function find(name: string) {
  return findInCheckout(folder, anyPolicy(), name);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
