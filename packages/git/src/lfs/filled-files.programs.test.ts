import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { unchangedFiles, type FilledFile } from './filled-files.ts';

const CONTENT = 'the content';

const tree = folderOfEachTest();
let file: string;

beforeEach(async () => {
  file = join(tree, 'app', 'file');
  await mkdir(join(tree, 'app'));
  await writeFile(file, CONTENT);
  await chmod(file, 0o644);
});

function filled(path: string, content = CONTENT): FilledFile {
  const id = createHash('sha256').update(content).digest('hex');
  return { path, object: { id, bytes: content.length }, mode: 0o644 };
}

const unchanged = async () => [...(await unchangedFiles(tree, [filled('app/file')]))];

test('files that nobody changed are named, also empty ones', async () => {
  await writeFile(join(tree, 'empty'), '', { mode: 0o644 });
  await writeFile(join(tree, 'other'), 'changed');

  const files = [filled('app/file'), filled('other'), filled('empty', '')];

  expect([...(await unchangedFiles(tree, files))]).toEqual(['app/file', 'empty']);
});

test('a file that was written again with the same content is unchanged', async () => {
  await writeFile(file, CONTENT);

  expect(await unchanged()).toEqual(['app/file']);
});

describe('it is changed', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['by another content of the same size', () => writeFile(file, CONTENT.toUpperCase())],
    ['by a longer content', () => writeFile(file, `${CONTENT}.`)],
    ['by other permissions', () => chmod(file, 0o755)],
    ['when it is gone', () => rm(file)],
    ['when its folder is gone', () => rm(join(tree, 'app'), { recursive: true })],
  ])('a file is changed %s', async (_what, change) => {
    await change();

    expect(await unchanged()).toEqual([]);
  });

  test('when a link to the same content is in its place', async () => {
    await rename(file, join(tree, 'moved'));
    await symlink(join(tree, 'moved'), file);

    expect(await unchanged()).toEqual([]);
  });

  test('when the way to it is a link', async () => {
    await rename(join(tree, 'app'), join(tree, 'moved'));
    await symlink('moved', join(tree, 'app'));

    expect(await unchanged()).toEqual([]);
  });

  test('when a pipe is in its place, which is not read', async () => {
    await rm(file);
    await promisify(execFile)('mkfifo', [file]);

    expect(await unchanged()).toEqual([]);
  });

  test('when a folder is in its place', async () => {
    await rm(file);
    await mkdir(file);

    expect(await unchanged()).toEqual([]);
  });
});
