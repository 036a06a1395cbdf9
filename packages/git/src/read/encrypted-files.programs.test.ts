import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { findEncrypted } from './encrypted-files.ts';

const tree = folderOfEachTest();

async function encryptedIn(files: Readonly<Record<string, string>>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(tree, name)), { recursive: true });
    await writeFile(path.join(tree, name), content);
  }
  const listed = Object.keys(files).map((name) => ({ path: name, kind: 'file', blob: '' }) as const);
  return findEncrypted(tree, listed);
}

test.each([
  ['git-crypt', 'secrets/** filter=git-crypt diff=git-crypt\n', '\0GITCRYPT\0abc'],
  ['git-crypt', 'secrets/** filter=git-crypt-team diff=git-crypt-team\r\n', `\0GITCRYPT\0${'x'.repeat(2_000_000)}`],
  ['transcrypt', '# secrets\nsecrets/* filter=crypt diff=crypt merge=crypt', 'U2FsdGVkX1abc=\n'],
  ['git-agecrypt', 'secrets/* filter=git-agecrypt', 'age-encryption.org/v1\n-> X25519 abc\n'],
])('a file that %s encrypted is found: %j', async (filter, attributes, content) => {
  expect(
    await encryptedIn({ 'live/.gitattributes': attributes, 'live/secrets/token': content, 'live/main.tf': '' }),
  ).toEqual([{ kind: 'encrypted', path: 'live/secrets/token', filter }]);
});

test.each([
  ['without attributes', { token: '\0GITCRYPT\0abc' }],
  ['with a filter that decrypts nothing', { '.gitattributes': '*.ipynb filter=nbstripout', token: 'U2FsdGVkX1abc' }],
  ['that is not encrypted yet', { '.gitattributes': '* filter=git-crypt', token: 'plain' }],
  ['of another tool', { '.gitattributes': '* filter=git-crypt', token: 'U2FsdGVkX1abc' }],
])('a file %s is not', async (_which, files) => {
  expect(await encryptedIn(files)).toEqual([]);
});
