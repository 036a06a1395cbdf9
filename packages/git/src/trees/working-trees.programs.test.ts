import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { InvalidNameError } from '../index.ts';
import { startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;
let first: string;
let second: string;

beforeEach(async () => {
  host = await startTestHost();
  const files = { 'a/main.tf': 'one', 'b/main.tf': 'b', '.gitignore': 'ignored\n', link: { link: 'a' } };
  first = await host.upstream.commit({ files });
  second = await host.upstream.commit({ files: { 'a/main.tf': 'two', 'b/main.tf': null, 'c/main.tf': 'c' } });
});

afterEach(async () => {
  await host.close();
});

const checkOut = async (sha: string, deploymentId: string, mirrors = host.mirrors) =>
  mirrors.checkOut({ repository: host.repository, sha, deploymentId });

describe('a working tree', () => {
  test('lies where its deployment says, private, and names its host', async () => {
    const tree = await checkOut(first, 'd1');

    expect(tree).toBe(join(host.dir, 'work', 'd1', 'repo'));
    expect((await stat(join(host.dir, 'work', 'd1'))).mode & 0o777).toBe(0o700);
    expect(await readFile(join(host.dir, 'work', 'd1', 'owner.json'), 'utf8')).toMatch('"hostId": "h1"');
  });

  test('holds exactly the files of its revision', async () => {
    const tree = await checkOut(second, 'd1');

    expect(await filesOf(tree)).toEqual(['.gitignore', 'a/main.tf', 'c/main.tf', 'link']);
  });

  test('is made again where an earlier attempt left one', async () => {
    const tree = await checkOut(first, 'd1');
    await writeFile(join(tree, 'a', 'left-over.tf'), 'x');

    await checkOut(second, 'd1');

    expect(await filesOf(tree)).toEqual(['.gitignore', 'a/main.tf', 'c/main.tf', 'link']);
  });

  test('leaves what lies beside it alone', async () => {
    await checkOut(first, 'd1');
    await writeFile(join(host.dir, 'work', 'd1', 'apply.marker'), '');

    await checkOut(first, 'd1');

    expect(await readdir(join(host.dir, 'work', 'd1'))).toContain('apply.marker');
  });

  test('is fetched with the authorization that the check-out brings, where the mirrors have none', async () => {
    await host.close();
    host = await startTestHost({ authorization: 'Basic right' });
    const sha = await host.upstream.commit({ files: { 'main.tf': 'one' } });
    const mirrors = host.openMirrors({ authorization: undefined });
    const wanted = { repository: host.repository, authorization: async () => Promise.resolve('Basic right') };

    await expect(mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1' })).rejects.toThrow('infra');
    await mirrors.checkOut({ ...wanted, sha, deploymentId: 'd1' });
    const next = await host.upstream.commit({ files: { 'main.tf': 'two' } });
    // A tree that is given back takes none of it away.
    const [tree] = await Promise.all([
      mirrors.checkOut({ ...wanted, sha: next, deploymentId: 'd2' }),
      mirrors.release('d1'),
    ]);

    expect(await readFile(join(tree, 'main.tf'), 'utf8')).toBe('two');
  });

  test('fetches its contents in one go', async () => {
    await host.mirrors.listFiles(host.repository, first);
    const asked = host.server.requests.length;

    await checkOut(first, 'd1');

    expect(host.server.requests.length - asked).toBeLessThanOrEqual(3);
  });

  test('can be had by several deployments of one revision at once', async () => {
    const trees = await Promise.all(['d1', 'd2', 'd3'].map(async (id) => checkOut(second, id)));

    for (const tree of trees) expect(await filesOf(tree)).toContain('c/main.tf');
  });

  test('is not made for an id that is a path', async () => {
    await expect(checkOut(first, '../d1')).rejects.toThrow(InvalidNameError);
  });

  test('is neither made nor removed in the place of the idle ones', async () => {
    await checkOut(first, 'd1');
    await host.mirrors.release('d1');

    await expect(checkOut(first, 'idle')).rejects.toThrow(InvalidNameError);
    await expect(host.mirrors.release('idle')).rejects.toThrow(InvalidNameError);
    await expect(host.mirrors.remove('idle')).rejects.toThrow(InvalidNameError);
    expect(await readdir(idleDir())).toHaveLength(1);
  });

  test('is made again when the mirror behind it was replaced', async () => {
    await checkOut(first, 'd1');
    await host.mirrors.release('d1');
    await rm(host.mirrorDir, { recursive: true });

    const tree = await checkOut(second, 'd2', host.openMirrors());

    expect(await readFile(join(tree, 'a/main.tf'), 'utf8')).toBe('two');
  });
});

describe('a released tree', () => {
  test('is cleaned, waits, and is used again', async () => {
    const tree = await checkOut(first, 'd1');
    await writeFile(join(tree, 'untracked'), 'x');
    const { ino } = await stat(tree);

    expect(await host.mirrors.release('d1')).toBe('done');
    expect(await idleFiles()).not.toContain('untracked');

    const again = await checkOut(second, 'd2');
    expect((await stat(again)).ino).toBe(ino);
    expect(await readdir(join(host.dir, 'work'))).not.toContain('d1');
  });

  test.each<readonly [string, (tree: string) => Promise<unknown>]>([
    ['untracked files', async (tree) => writeFile(join(tree, 'a', 'untracked.tf'), 'x')],
    [
      'what Terraform keeps beside a root',
      async (tree) => {
        await mkdir(join(tree, 'c', '.terraform', 'modules'), { recursive: true });
        await writeFile(join(tree, 'c', '.terraform', 'terraform.tfstate'), '{}');
        await writeFile(join(tree, 'c', '.terraform.lock.hcl'), 'x');
      },
    ],
    ['ignored files', async (tree) => writeFile(join(tree, 'ignored'), 'x')],
    ['changed files', async (tree) => writeFile(join(tree, 'a', 'main.tf'), 'changed')],
    ['deleted files', async (tree) => rm(join(tree, 'a'), { recursive: true, force: true })],
    ['a repository inside it', async (tree) => mkdir(join(tree, 'nested', '.git'), { recursive: true })],
    ['a file where a directory was', async (tree) => replace(join(tree, 'c'), async (path) => writeFile(path, 'x'))],
    ['a lock of its index', async () => leaveIndexLock()],
    ['a broken index', async () => writeFile(join(await registered(), 'index'), 'nonsense')],
    ['another link to its mirror', async (tree) => writeFile(join(tree, '.git'), 'gitdir: /nowhere\n')],
    ['a repository in the place of its link', async (tree) => replace(join(tree, '.git'), async (path) => mkdir(path))],
    ['files that cannot be written', async (tree) => chmod(join(tree, 'a'), 0o500)],
    ['folders that nobody may read', async (tree) => mkdir(join(tree, 'closed'), { mode: 0 })],
    ['folders that lie deeper than any path reaches', deepen],
  ])('is exactly the next revision, whatever was left in it: %s', async (_what, soil) => {
    const tree = await checkOut(first, 'd1');
    await soil(tree);
    await host.mirrors.release('d1');
    await soilIdle(soil);

    const next = await checkOut(second, 'd2');

    expect(await filesOf(next)).toEqual(['.gitignore', 'a/main.tf', 'c/main.tf', 'link']);
    expect(await readFile(join(next, 'a/main.tf'), 'utf8')).toBe('two');
  });

  test.each(['.', 'a'])('of which %s was closed is not used again: git would clean nothing there', async (folder) => {
    const mirrors = host.openMirrors({ environment: await gitAsNobodySpecial() });
    const tree = await checkOut(first, 'd1', mirrors);
    await writeFile(join(tree, folder, 'hidden.tf'), 'x');
    await chmod(join(tree, folder), 0o333);
    await mirrors.release('d1');

    const next = await checkOut(second, 'd2', mirrors);

    expect((await stat(join(next, folder))).mode & 0o700).toBe(0o700);
    expect(await filesOf(next)).toEqual(['.gitignore', 'a/main.tf', 'c/main.tf', 'link']);
  });

  test('that was replaced by a link is not followed', async () => {
    const tree = await checkOut(first, 'd1');
    const precious = join(host.dir, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, 'file'), 'x');
    await replace(tree, async (path) => symlink(precious, path));

    await host.mirrors.release('d1');

    expect(await readdir(precious)).toEqual(['file']);
  });

  test('in which links lead elsewhere is exactly the next revision, and nothing is removed there', async () => {
    const tree = await checkOut(first, 'd1');
    const precious = join(host.dir, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, 'main.tf'), 'x');
    const leadElsewhere = async (at: string) => {
      await replace(join(at, 'a'), async (path) => symlink(precious, path));
      await symlink(precious, join(at, 'c'));
      await symlink(join(precious, 'main.tf'), join(at, 'more.tf'));
    };
    await leadElsewhere(tree);
    await host.mirrors.release('d1');
    expect(await idleFiles()).not.toContain('more.tf');
    await soilIdle(leadElsewhere);

    const next = await checkOut(second, 'd2');

    expect(await filesOf(next)).toEqual(['.gitignore', 'a/main.tf', 'c/main.tf', 'link']);
    expect(await readFile(join(precious, 'main.tf'), 'utf8')).toBe('x');
  });

  test('that could not be made exact in time is thrown away, not taken for ever', async () => {
    const hangs = join(host.dir, 'reset-hangs');
    const environment = await gitThatHangsAt('reset', hangs);
    const mirrors = host.openMirrors({ environment, timeouts: { localMs: 15_000 } });
    await checkOut(first, 'd1');
    await host.mirrors.release('d1');
    await writeFile(hangs, '');

    await expect(checkOut(second, 'd2', mirrors)).rejects.toMatchObject({ code: 'GIT_TIMEOUT' });

    expect(await readdir(idleDir())).toEqual([]);
  });

  test('is not kept beyond the limit', async () => {
    const mirrors = host.openMirrors({ idleTreesPerRepository: 1 });
    await Promise.all(['d1', 'd2'].map(async (id) => checkOut(first, id, mirrors)));

    for (const id of ['d1', 'd2']) await mirrors.release(id);

    expect(await readdir(idleDir())).toHaveLength(1);
  });

  test('of another host is left alone', async () => {
    await checkOut(first, 'd1');
    const other = host.openMirrors({ hostId: 'h2', dataDir: join(host.dir, 'data2') });

    expect(await other.release('d1')).toBe('not-ours');
    expect(await other.remove('d1')).toBe('not-ours');
    expect(await readdir(join(host.dir, 'work', 'd1'))).toContain('repo');
  });

  test('that nobody made is absent', async () => {
    expect(await host.mirrors.release('d1')).toBe('absent');
  });
});

test('another host takes a deployment over', async () => {
  await checkOut(first, 'd1');
  const other = host.openMirrors({ hostId: 'h2', dataDir: join(host.dir, 'data2') });

  const tree = await checkOut(second, 'd1', other);

  expect(await filesOf(tree)).toContain('c/main.tf');
  expect([await host.mirrors.isOwn('d1'), await other.isOwn('d1')]).toEqual([false, true]);
  expect(await host.mirrors.release('d1')).toBe('not-ours');
});

test('a removed deployment leaves nothing', async () => {
  await checkOut(first, 'd1');

  expect(await host.mirrors.remove('d1')).toBe('done');
  expect(await readdir(join(host.dir, 'work'))).not.toContain('d1');
});

const idleDir = () => join(host.dir, 'work', 'idle', 'h1', 'acme', 'infra');

async function idleFiles(): Promise<readonly string[]> {
  const [id = ''] = await readdir(idleDir());
  return readdir(join(idleDir(), id));
}

/** The folder of the only tree in the mirror. */
async function registered(): Promise<string> {
  const worktrees = join(host.mirrorDir, 'worktrees');
  const [id = ''] = await readdir(worktrees);
  return join(worktrees, id);
}

/** A `git` whose command of this verb hangs while the file is there. */
async function gitThatHangsAt(verb: string, file: string): Promise<{ readonly PATH: string }> {
  return ownGit(`case "$1" in ${verb}) [ -e '${file}' ] && exec sleep 600;; esac`, 'git "$@"');
}

/** Root may read what is closed. */
async function gitAsNobodySpecial(): Promise<{ readonly PATH: string }> {
  const isRoot = process.getuid?.() === 0;
  return ownGit('', isRoot ? 'setpriv --bounding-set=-dac_override,-dac_read_search git "$@"' : 'git "$@"');
}

async function ownGit(before: string, command: string): Promise<{ readonly PATH: string }> {
  const bin = join(host.dir, 'bin');
  const path = process.env['PATH'] ?? '';
  await mkdir(bin);
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${before}\nPATH='${path}' exec ${command}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${path}` };
}

async function leaveIndexLock(): Promise<void> {
  await writeFile(join(await registered(), 'index.lock'), '');
}

/** A process that was not stopped may go on writing while the tree is idle. */
async function soilIdle(soil: (tree: string) => Promise<unknown>): Promise<void> {
  const [id] = await readdir(idleDir()).catch((): string[] => []);
  if (id !== undefined) await soil(join(idleDir(), id));
}

async function deepen(cwd: string): Promise<void> {
  const program = "import os\nfor _ in range(1000):\n  os.mkdir('deep-folder'); os.chdir('deep-folder')";
  const made = await runCommand({ argv: ['python3', '-c', program], env: { PATH: '/usr/bin:/bin' }, cwd });
  expect(made).toMatchObject({ kind: 'exited', exitCode: 0 });
}

async function replace(path: string, make: (path: string) => Promise<unknown>): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await make(path);
}

async function filesOf(tree: string): Promise<readonly string[]> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .filter((path) => path !== '.git')
    .toSorted();
}

describe('a tree in the folder of another deployment', () => {
  const borrow = (sha: string, deploymentId: string) =>
    host.mirrors.checkOut({ repository: host.repository, sha, deploymentId, at: 'd0' });
  const folders = async () => (await readdir(join(host.dir, 'work'))).filter((name) => name !== 'idle').toSorted();

  test('lies there, and its own folder says so', async () => {
    const tree = await borrow(first, 'd1');

    expect(tree).toBe(join(host.dir, 'work', 'd0', 'repo'));
    expect(await host.mirrors.isOwn('d1')).toBe(true);
    expect([await host.mirrors.borrowerOf('d0'), await host.mirrors.borrowerOf('d1')]).toEqual(['d1', undefined]);
  });

  test('goes with its own deployment, and with no other', async () => {
    await borrow(first, 'd1');

    expect(await host.mirrors.release('d0')).toBe('not-ours');
    expect(await folders()).toEqual(['d0', 'd1']);
    expect(await host.mirrors.release('d1')).toBe('done');
    expect(await folders()).toEqual([]);
  });

  test('is taken over by the next deployment that borrows the folder, which keeps it', async () => {
    await borrow(first, 'd1');
    const tree = await borrow(second, 'd2');

    expect(await host.mirrors.release('d1')).toBe('done');

    expect(await filesOf(tree)).toEqual(['.gitignore', 'a/main.tf', 'c/main.tf', 'link']);
    expect(await folders()).toEqual(['d0', 'd2']);
  });

  test.each([
    ['this host', () => host.mirrors],
    ['another host with the same disk', () => host.openMirrors({ hostId: 'h2', dataDir: join(host.dir, 'data2') })],
  ])('stays when that deployment checks out again, on %s', async (_which, mirrors) => {
    const tree = await borrow(first, 'd1');
    await writeFile(join(tree, 'at-work'), '');

    const again = checkOut(second, 'd0', mirrors());

    await expect(again).rejects.toMatchObject({ code: 'TREE_IN_USE' });
    expect(await filesOf(tree)).toContain('at-work');
    expect(await host.mirrors.release('d1')).toBe('done');
    expect(await filesOf(await checkOut(second, 'd0'))).toContain('c/main.tf');
  });

  test('makes way when its deployment checks out in its own folder', async () => {
    await borrow(first, 'd1');

    await checkOut(second, 'd1');

    expect(await folders()).toEqual(['d1']);
  });
});
