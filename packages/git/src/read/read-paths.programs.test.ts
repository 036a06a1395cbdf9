import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RevisionTooLargeError } from '../errors.ts';
import { runTestGit, startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.close();
});

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

/** A commit of directories in directories, each 100 times the same: a few kilobytes that name 100 to the power of the depth. */
async function bomb({ depth, leaf }: { readonly depth: number; readonly leaf: 'a file' | 'an empty directory' }) {
  const { dir } = host.upstream;
  const [kind, made] =
    leaf === 'a file'
      ? ['100644 blob', await runTestGit(dir, ['hash-object', '-w', '--stdin'], 'x')]
      : ['040000 tree', await runTestGit(dir, ['mktree'])];
  let entry = `${kind} ${made.trim()}`;
  for (let level = 0; level < depth; level += 1) {
    const lines = Array.from({ length: 100 }, (_, n) => `${entry}\td${String(n).padStart(2, '0')}`);
    entry = `040000 tree ${(await runTestGit(dir, ['mktree'], lines.join('\n'))).trim()}`;
  }
  const sha = (await runTestGit(dir, [...AUTHOR, 'commit-tree', '-m', 'a bomb', entry.slice(-40)])).trim();
  await host.upstream.setBranch(`bomb-${sha}`, sha);
  return sha;
}

test('a tree of more files than the limit is refused, however little it takes on the disk', async () => {
  const sha = await bomb({ depth: 3, leaf: 'a file' });

  await expect(host.mirrors.listFiles(host.repository, sha)).rejects.toThrow(
    'expected at most 500000 files, whose names and ids take 67108864 bytes, found ',
  );
  await expect(host.mirrors.changedFiles(host.repository, { kind: 'commit', sha })).rejects.toThrow(
    RevisionTooLargeError,
  );
});

test('git is stopped when it lists nothing for too long', async () => {
  const sha = await bomb({ depth: 12, leaf: 'an empty directory' });
  await host.mirrors.fetch(host.repository, [sha]);
  const mirrors = host.openMirrors({ timeouts: { localMs: 10_000 } });

  await expect(mirrors.listFiles(host.repository, sha)).rejects.toThrow('found that git takes too long to list them');
});

test('the base of a push is known without its files', async () => {
  const base = await host.upstream.commit({ files: { 'a.tf': 'a' }, parent: null });
  const dropped = await host.upstream.commit({ files: { 'a.tf': 'b' }, branch: 'forced', parent: base });
  const after = await host.upstream.commit({ files: { 'b.tf': 'b' }, branch: 'forced', parent: base });

  expect(await host.mirrors.pushBase(host.repository, { before: dropped, after })).toBe(base);
  expect(await host.mirrors.pushBase(host.repository, { before: '0'.repeat(40), after })).toBe(base);
  expect(await host.mirrors.pushBase(host.repository, { before: '0'.repeat(40), after: base })).toBeUndefined();
});
