import { expect, test } from '@jest/globals';
import { readRepositoryFile } from '../repository.ts';

test('the guide names every folder of records, with what control may do there', async () => {
  const guide = await readRepositoryFile('apps/docs/guides/storage-credentials.md');
  const keys = await readRepositoryFile('packages/storage/src/records/record-keys.ts');

  const folders = new Set(Array.from(keys.matchAll(/[`'](?<folder>[a-z-]+)\//g), ({ groups }) => groups?.['folder']));
  const named = new Set(Array.from(guide.matchAll(/`(?<folder>[a-z-]+)\/\*`/g), ({ groups }) => groups?.['folder']));

  expect(folders.size).toBeGreaterThan(10);
  expect([...folders].filter((folder) => !named.has(folder))).toEqual([]);
});
