import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BlobsMissingError } from '../errors.ts';
import { FILE_LIMIT_BYTES } from './blobs.ts';
import { startTestHost, type TestHost } from '../testing/index.ts';
import { readFiles } from '../testing/read-files.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.close();
});

test('files and symbolic links are told apart', async () => {
  const sha = await host.upstream.commit({ files: { 'a.tf': 'x', link: { link: '../out' } }, parent: null });

  const files = await host.mirrors.listFiles(host.repository, sha);

  expect(files.map(({ path, kind }) => [path, kind])).toEqual([
    ['a.tf', 'file'],
    ['link', 'link'],
  ]);
});

test('contents come in one fetch, however many there are', async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}.tf`, `content ${index}`]));
  const sha = await host.upstream.commit({ files, branch: 'many', parent: null });
  await host.mirrors.listFiles(host.repository, sha);
  const asked = host.server.requests.length;

  const contents = await readFiles(host, sha, Object.keys(files));

  expect(contents.get('f49.tf')).toEqual({ kind: 'text', text: 'content 49' });
  expect(contents.size).toBe(50);
  // The handshake and one pack.
  expect(host.server.requests.length - asked).toBeLessThanOrEqual(3);
});

test('contents that were read once need neither git nor the network', async () => {
  const sha = await host.upstream.commit({ files: { 'a.tf': 'once' }, branch: 'once', parent: null });
  await readFiles(host, sha, ['a.tf']);
  const asked = host.server.requests.length;

  const again = await readFiles(host, sha, ['a.tf']);

  expect(again.get('a.tf')).toEqual({ kind: 'text', text: 'once' });
  expect(host.server.requests).toHaveLength(asked);
});

test('odd names and contents come as they are', async () => {
  const files = { 'new\nline.tf': 'a\nb\n\n', '-x': '', 'ü.tf': '日本', 'same.tf': '日本', target: { link: 'a b' } };
  const sha = await host.upstream.commit({ files, branch: 'odd', parent: null });

  const contents = await readFiles(host, sha, [...Object.keys(files), 'nothing']);

  const texts = [...contents].map(([path, content]) => [path, content.kind === 'text' ? content.text : content.kind]);
  expect(Object.fromEntries(texts)).toEqual({ ...files, target: 'a b' });
});

test('contents of more than the limit in all are refused', async () => {
  const text = 'x'.repeat(FILE_LIMIT_BYTES - 10);
  const files = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`f${n}.tf`, `${n}\n${text}`]));
  const sha = await host.upstream.commit({ files, branch: 'heavy', parent: null });

  await expect(readFiles(host, sha, Object.keys(files))).rejects.toThrow(
    /expected Terraform files and symbolic links of at most 67108864 bytes in all, found 681\d{5} bytes; split/,
  );
});

test('contents that the mirror lacks are not fetched before they are asked to be brought', async () => {
  const fresh = await startTestHost();
  const sha = await fresh.upstream.commit({ files: { 'a.tf': 'lacking' } });
  const [file] = await fresh.mirrors.listFiles(fresh.repository, sha);
  const tree = fresh.mirrors.tree(fresh.repository, sha);
  const blobs = [file?.blob ?? ''];

  await expect(tree.contents(blobs)).rejects.toThrow(BlobsMissingError);

  await tree.fetch(blobs);
  expect([...(await tree.contents(blobs)).values()]).toEqual([{ kind: 'text', text: 'lacking' }]);
  await fresh.close();
});

test('what is too large is not read', async () => {
  const files = { 'large.tf': 'x'.repeat(FILE_LIMIT_BYTES + 1), 'small.tf': 'x' };
  const sha = await host.upstream.commit({ files, branch: 'large', parent: null });

  const contents = await readFiles(host, sha, ['large.tf', 'small.tf']);

  expect(contents.get('large.tf')).toEqual({ kind: 'too-large', sizeBytes: FILE_LIMIT_BYTES + 1 });
  expect(contents.get('small.tf')).toEqual({ kind: 'text', text: 'x' });
});
