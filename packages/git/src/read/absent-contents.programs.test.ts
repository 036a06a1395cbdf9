import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestHost, type TestFiles, type TestHost } from '../testing/index.ts';

const ID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${ID}\nsize 12345\n`;
const OBJECT = { id: ID, bytes: 12_345 };

let host: TestHost;

beforeEach(async () => {
  host = await startTestHost();
});

afterEach(async () => {
  await host.close();
});

async function absentIn(files: TestFiles) {
  const sha = await host.upstream.commit({ files });
  return host.mirrors.absentContents({ repository: host.repository, sha });
}

test('pointers of Git LFS and submodules are found wherever they are', async () => {
  const commit = 'a'.repeat(40);

  expect(
    await absentIn({ 'main.tf': '', 'app/fn.zip': POINTER, 'app/same.zip': POINTER, lib: { submodule: commit } }),
  ).toEqual([
    { kind: 'lfs', path: 'app/fn.zip', object: OBJECT },
    { kind: 'lfs', path: 'app/same.zip', object: OBJECT },
    { kind: 'submodule', path: 'lib', commit },
  ]);
});

test.each([
  ['with the line ends of Windows', POINTER.replaceAll('\n', '\r\n')],
  ['without a last line end', POINTER.trimEnd()],
  ['of an older version', POINTER.replace('git-lfs.github.com', 'hawser.github.com')],
])('a pointer %s is one', async (_what, text) => {
  expect(await absentIn({ file: text })).toEqual([{ kind: 'lfs', path: 'file', object: OBJECT }]);
});

test.each([
  ['of a version that nobody knows', POINTER.replace('v1', 'v2')],
  ['with an extension', POINTER.replace('oid', `ext-0-foo sha256:${ID}\noid`)],
  ['of another hash', POINTER.replace('sha256', 'sha512')],
  ['with more lines', `${POINTER}more\n`],
  ['of no size', POINTER.replace('12345', 'large')],
])('a pointer %s is one that cannot be read', async (_what, text) => {
  expect(await absentIn({ file: text })).toEqual([{ kind: 'lfs', path: 'file', object: undefined }]);
});

test.each<[string, TestFiles]>([
  ['a text about pointers', { 'README.md': `A pointer looks so:\n\n${POINTER}` }],
  ['a link', { file: { link: POINTER } }],
  ['a file that is longer than any pointer', { file: `${POINTER}${'x'.repeat(1_024)}` }],
])('%s is no pointer', async (_what, files) => {
  expect(await absentIn(files)).toEqual([]);
});
