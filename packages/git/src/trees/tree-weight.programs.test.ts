import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RevisionTooLargeError } from '../index.ts';
import { runTestGit, startTestHost, type TestFiles, type TestHost } from '../testing/index.ts';

const MIB = 1024 * 1024;

let host: TestHost;

beforeEach(async () => {
  host = await startTestHost();
});

afterEach(async () => {
  await host.close();
});

async function checkOut(sha: string, bytes: number): Promise<string> {
  const limit = { bytes, setting: 'terraform.tree_gb' };
  return host.mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1', limit });
}

/** What of it is on the disk. */
async function written(): Promise<readonly string[]> {
  const names = await readdir(join(host.dir, 'work'), { recursive: true }).catch(() => []);
  return names.filter((name) => /\bzeros\b/.test(name));
}

test('one content of 150 names is refused before anything of it is written', async () => {
  const zeros = 'A'.repeat(2 * MIB);
  const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`zeros/${index}`, zeros]));
  const sha = await host.upstream.commit({ files });

  await expect(checkOut(sha, 300 * MIB)).rejects.toThrow(
    'expected a working tree of at most 314572800 bytes (terraform.tree_gb), found 314576896 bytes in 150 files and 1 directories; remove the largest files, or have the operators raise terraform.tree_gb',
  );
  await expect(checkOut(sha, 300 * MIB)).rejects.toMatchObject({ code: 'REVISION_TOO_LARGE' });
  expect(await written()).toEqual([]);
});

test('a limit that is lowered holds for a revision that was checked out before', async () => {
  const sha = await host.upstream.commit({ files: { 'main.tf': 'A'.repeat(MIB) } });
  await checkOut(sha, MIB);

  await expect(checkOut(sha, MIB - 1)).rejects.toThrow(RevisionTooLargeError);
});

/** `files` makes 4,096 bytes times `blocks`. */
describe.each<[string, TestFiles, number]>([
  ['empty files', { a: '', b: '' }, 2],
  ['links', { a: { link: 'b' }, b: '' }, 2],
  ['directories', { 'a/b/c/d': '', 'a/b/e': '', 'ab/c': '' }, 3 + 4],
  ['the rest of a block', { a: 'A'.repeat(4_097) }, 2],
])('%s count', (_what, files, blocks) => {
  test('for what they take on a disk', async () => {
    const sha = await host.upstream.commit({ files });

    await expect(checkOut(sha, blocks * 4_096 - 1)).rejects.toThrow(RevisionTooLargeError);
    expect(await checkOut(sha, blocks * 4_096)).toContain('d1');
  });
});

describe('files weigh what they take, whatever .gitattributes says', () => {
  const text = '$Id$\n'.repeat(20_000);
  const blocks = Math.ceil(text.length / 4_096) + 2;

  test('identifiers are not filled in, and contents keep their encoding', async () => {
    const files = { '.gitattributes': 'z/* ident working-tree-encoding=UTF-32\n', 'z/a': text };
    const sha = await host.upstream.commit({ files });

    const tree = await checkOut(sha, blocks * 4_096);

    expect((await stat(join(tree, 'z', 'a'))).size).toBe(text.length);
  });

  test.each<[string, TestFiles]>([
    ['where the repository says so', { '.gitattributes': '* text eol=crlf\n' }],
    ['where a folder says so', { 'z/.gitattributes': 'a eol=crlf\n' }],
    ['where a name stands for it', { '.gitattributes': '[attr]own eol=crlf\n', 'z/.gitattributes': 'a own\n' }],
  ])('lines can become longer by their ends, %s', async (_where, attributes) => {
    const lines = '\n'.repeat(40_960);
    const sha = await host.upstream.commit({ files: { ...attributes, 'z/a': lines } });
    const others = Object.keys(attributes).length + 1;

    await expect(checkOut(sha, (20 + others) * 4_096 - 1)).rejects.toThrow(RevisionTooLargeError);
    const tree = await checkOut(sha, (20 + others) * 4_096);

    expect((await stat(join(tree, 'z', 'a'))).size).toBe(2 * lines.length);
  });
});

test('ten objects that name each other four times count for all their directories', async () => {
  const blob = (await runTestGit(host.upstream.dir, ['hash-object', '-w', '--stdin'])).trim();
  let tree = (await runTestGit(host.upstream.dir, ['mktree'], `100644 blob ${blob}\tf\n`)).trim();
  for (let level = 0; level < 8; level += 1) {
    const entries = ['a', 'b', 'c', 'd'].map((name) => `040000 tree ${tree}\t${name}\n`).join('');
    tree = (await runTestGit(host.upstream.dir, ['mktree'], entries)).trim();
  }
  const sha = await host.upstream.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', tree, '-m', 'a');
  await host.upstream.setBranch('main', sha);

  await expect(checkOut(sha, 500 * MIB)).rejects.toThrow('in 65536 files and 87380 directories');
});

describe('what no disk can hold is refused as the revision’s fault, not as git’s', () => {
  test.each<[string, TestFiles, string]>([
    ['a name', { [`a/${'n'.repeat(256)}`]: '' }, 'expected names of at most 255 bytes, found 256 bytes at "a/nnn'],
    [
      'a name of other characters',
      { ['ü'.repeat(128)]: '' },
      'expected names of at most 255 bytes, found 256 bytes at "üüü',
    ],
    [
      'a path',
      { [`${`${'d'.repeat(99)}/`.repeat(21)}f`]: '' },
      'expected paths of at most 2048 bytes, found 2101 bytes at "ddd',
    ],
    [
      'a link',
      { link: { link: 't'.repeat(4_096) } },
      'expected symbolic links to at most 4095 bytes, found 4096 bytes at "link"; rename or remove it',
    ],
  ])('%s that no disk can hold is refused as the fault of the revision', async (_what, files, message) => {
    const sha = await host.upstream.commit({ files });

    await expect(checkOut(sha, 1_000 * MIB)).rejects.toThrow(message);
  });
});
