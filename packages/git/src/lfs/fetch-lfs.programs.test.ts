import { chmod, readdir, readFile, stat, symlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ContentAbsentError, RevisionTooLargeError, type LfsContent } from '../index.ts';
import { lfsPointer, startTestHost, type GitFault, type TestFiles, type TestHost } from '../testing/index.ts';

const TOKEN = 'Basic right';
const LIMIT = { bytes: 1e6, setting: 'terraform.tree_gb' };

let host: TestHost;
let faultOf: (index: number) => GitFault | undefined;

beforeEach(async () => {
  faultOf = () => undefined;
  host = await startTestHost({ authorization: TOKEN, faultOf: (index) => faultOf(index) });
});

afterEach(async () => {
  await host.close();
});

/** Checks the files out, and fetches what is in Git LFS of them. */
async function fetchInto(files: TestFiles, prepare: (tree: string) => Promise<unknown> = async () => undefined) {
  const sha = await host.upstream.commit({ files });
  const { repository, mirrors } = host;
  const revision = { repository, sha, authorization: async () => Promise.resolve(TOKEN) };
  const tree = await mirrors.checkOut({ ...revision, deploymentId: 'd1' });
  await prepare(tree);
  const contents = (await mirrors.absentContents(revision)).filter((one): one is LfsContent => one.kind === 'lfs');
  await mirrors.fetchLfs({ ...revision, tree, contents, limit: LIMIT, signal: new AbortController().signal });
  return tree;
}

const read = async (tree: string, path: string) => readFile(join(tree, path), 'utf8');

test('each pointer makes way for its content, with its mode, and nothing is left beside', async () => {
  const [one, other] = [host.server.lfs.store('one'), host.server.lfs.store('other')];

  const tree = await fetchInto({ 'a/one.zip': one, 'b/one.zip': one, other }, async (at) =>
    chmod(join(at, 'other'), 0o755),
  );

  expect([await read(tree, 'a/one.zip'), await read(tree, 'b/one.zip')]).toEqual(['one', 'one']);
  expect(await read(tree, 'other')).toBe('other');
  expect((await stat(join(tree, 'other'))).mode & 0o777).toBe(0o755);
  expect((await readdir(join(tree, '..'))).toSorted()).toEqual(['owner.json', 'repo']);
});

test('the server of the repository is asked, whatever .lfsconfig says', async () => {
  const elsewhere = '[lfs]\n\turl = http://127.0.0.1:1/\n[remote "origin"]\n\tlfsurl = http://127.0.0.1:1/\n';

  const tree = await fetchInto({ '.lfsconfig': elsewhere, file: host.server.lfs.store('one') });

  expect(await read(tree, 'file')).toBe('one');
  expect(host.server.requests.map(({ path }) => path)).toContain('/acme/infra.git/info/lfs/objects/batch');
});

test('a tree that is used again has its pointers again', async () => {
  const tree = await fetchInto({ file: host.server.lfs.store('one') });
  await host.mirrors.release('d1');
  const sha = await host.upstream.git('rev-parse', 'main');

  await host.mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1' });

  expect(await read(tree, 'file')).toContain('oid sha256:');
});

test.each<GitFault>(['bad gateway', 'closed', 'cut short'])(
  'a server that fails in passing (%s) is asked again',
  async (fault) => {
    const file = host.server.lfs.store('one');
    let failures = 0;
    faultOf = () => {
      const { path } = host.server.requests.at(-1) ?? { path: '' };
      failures += path.includes('/lfs/') ? 1 : 0;
      return path.includes('/lfs/') && failures % 2 === 1 ? fault : undefined;
    };

    expect(await read(await fetchInto({ file }), 'file')).toBe('one');
    expect(failures).toBe(4);
  },
);

describe('is refused, with its pointer left as it was', () => {
  const id = 'a'.repeat(64);

  test.each<[string, (lfs: TestHost['server']['lfs']) => string, string]>([
    [
      'an object that the server lacks',
      () => lfsPointer(id, 3),
      `found "404 Object does not exist" in place of the object ${id}`,
    ],
    ['another content', (lfs) => lfs.store('one', id), `found another content in place of the object ${id}`],
    ['a longer one', (lfs) => lfs.store('one').replace('size 3', 'size 2'), 'found another content'],
    [
      'a pointer of no hash that we know',
      (lfs) => lfs.store('one').replace('sha256', 'sha512'),
      'cannot be read: "file"',
    ],
  ])('%s is refused, and its pointer stays', async (_what, pointerIn, message) => {
    const refused = fetchInto({ file: pointerIn(host.server.lfs) });

    await expect(refused).rejects.toThrow(ContentAbsentError);
    await expect(refused).rejects.toThrow(message);
    expect(await read(join(host.dir, 'work', 'd1', 'repo'), 'file')).toContain('version https://git-lfs');
  });
});

test('what the contents take counts towards the limit of the tree, before anything is asked for', async () => {
  const refused = fetchInto({ file: lfsPointer('a'.repeat(64), 1e6) });

  await expect(refused).rejects.toThrow(RevisionTooLargeError);
  expect(host.server.requests.filter(({ path }) => path.includes('/lfs/'))).toEqual([]);
});

test('nothing is written through a link', async () => {
  const refused = fetchInto({ 'a/file': host.server.lfs.store('one') }, async (tree) => {
    await rm(join(tree, 'a'), { recursive: true });
    await symlink(join(tree, '..'), join(tree, 'a'));
  });

  await expect(refused).rejects.toThrow();
  expect(await readdir(join(host.dir, 'work', 'd1'))).not.toContain('file');
});
