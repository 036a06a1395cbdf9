/** An index can hide changed files, which the next deployment would then find. */
import { readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runTestGit, startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;
let sha: string;
let tree: string;

beforeEach(async () => {
  host = await startTestHost();
  sha = await host.upstream.commit({ files: { 'main.tf': 'one' } });
  tree = await checkOut('d1');
});

afterEach(async () => {
  await host.close();
});

const checkOut = async (deploymentId: string, mirrors = host.mirrors) =>
  mirrors.checkOut({ repository: host.repository, sha, deploymentId });

const HIDING = ['--assume-unchanged', '--skip-worktree'] as const;

async function hideChange(at: string, how: (typeof HIDING)[number]): Promise<void> {
  await runTestGit(at, ['update-index', how, 'main.tf']);
  await writeFile(join(at, 'main.tf'), 'hidden');
}

async function idleTree(): Promise<string> {
  const idle = join(host.dir, 'work', 'idle', 'h1', 'acme', 'infra');
  const [id = ''] = await readdir(idle);
  return join(idle, id);
}

describe.each(HIDING)('a change that an index hides by %s', (how) => {
  test('is gone when the deployment that hid it is over', async () => {
    await hideChange(tree, how);
    await host.mirrors.release('d1');

    expect(await readFile(join(await checkOut('d2'), 'main.tf'), 'utf8')).toBe('one');
  });

  test.each([
    ['this process', () => host.mirrors],
    ['the next process', () => host.openMirrors()],
  ])('is gone when it was hidden while the tree was idle, for %s', async (_whose, mirrors) => {
    await host.mirrors.release('d1');
    await hideChange(await idleTree(), how);

    expect(await readFile(join(await checkOut('d2', mirrors()), 'main.tf'), 'utf8')).toBe('one');
  });

  test('is gone when a link leads to an index that is written later', async () => {
    const index = (await runTestGit(tree, ['rev-parse', '--path-format=absolute', '--git-path', 'index'])).trim();
    await rename(index, join(host.dir, 'index'));
    await symlink(join(host.dir, 'index'), index);
    await host.mirrors.release('d1');
    await checkOut('d2');
    await host.mirrors.release('d2');
    await hideChange(await idleTree(), how);

    expect(await readFile(join(await checkOut('d3'), 'main.tf'), 'utf8')).toBe('one');
  });
});

test('a tree whose index git wrote for somebody else is used again, if it hides nothing', async () => {
  const { ino } = await stat(tree);
  await writeFile(join(tree, 'main.tf'), 'changed');
  await runTestGit(tree, ['add', 'main.tf']);
  await host.mirrors.release('d1');

  const next = await checkOut('d2');

  expect((await stat(next)).ino).toBe(ino);
  expect(await readFile(join(next, 'main.tf'), 'utf8')).toBe('one');
});
