import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readRootSecrets } from './root-secrets.ts';

const read = (folder: string | undefined, file = 'token') => readRootSecrets(folder, { API_TOKEN: file });

describe('a secret is what its file says', () => {
  test.each([
    ['a value', 'a value'],
    ['a value\n', 'a value'],
    ['a value\r\n', 'a value'],
    ['two\nlines\n\n', 'two\nlines\n'],
    [' spaces \n', ' spaces '],
  ])('without one line break at its end: %j is %j', async (written, value) => {
    await using folder = await testdir({ token: written });

    expect(await read(folder.path)).toEqual({ API_TOKEN: value });
  });

  test('also behind the links of a volume of Kubernetes', async () => {
    await using folder = await testdir({ '..2026_01/token': 'one' });
    await symlink('..2026_01', join(folder.path, '..data'));
    await symlink('..data/token', join(folder.path, 'token'));

    expect(await read(folder.path)).toEqual({ API_TOKEN: 'one' });
  });
});

describe('an error says which file, what was found and what to do, and nothing of a value', () => {
  test.each([
    ['no such file', {}],
    ['an empty file', { token: '\n' }],
    ['a text with a NUL', { token: 'secret\0' }],
    ['more than 32768 bytes', { token: 's'.repeat(32_769) }],
    ['something other than a file', { 'token/a': 'secret' }],
  ])('%s', async (found, files) => {
    await using folder = await testdir(files);

    await expect(read(folder.path)).rejects.toThrow(
      `expected the secret API_TOKEN in the file "token" of terraform.secrets_folder, found ${found}; put it there on every host that runs this root, or correct env_from`,
    );
  });

  test('bytes that are no text', async () => {
    await using folder = await testdir({});
    await writeFile(join(folder.path, 'token'), Buffer.from([0x73, 0xff]));

    await expect(read(folder.path)).rejects.toThrow('found bytes that are no text in UTF-8; ');
  });

  test('a link out of the folder, or to nothing', async () => {
    await using folder = await testdir({ 'worker-key': 'secret' });
    const secrets = join(folder.path, 'secrets');
    await mkdir(secrets);
    await symlink('../worker-key', join(secrets, 'token'));
    await symlink('loop', join(secrets, 'loop'));

    await expect(read(secrets)).rejects.toThrow('found a link that leads out of the folder; ');
    await expect(read(secrets, 'loop')).rejects.toThrow('found a link that leads nowhere; ');
  });

  test('no folder at all', async () => {
    await expect(read(undefined)).rejects.toThrow('found no such folder; ');
    await expect(read('/nowhere/at/all')).rejects.toThrow('found no such file; ');
  });
});

async function testdir(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'nereid-root-secrets-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true, force: true }) };
}
