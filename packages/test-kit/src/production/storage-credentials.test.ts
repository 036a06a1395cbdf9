import { expect, test } from '@jest/globals';
import { glob } from 'node:fs/promises';
import { readRepositoryFile, REPOSITORY } from '../repository.ts';

test('the guide names every folder of records, with what control may do there', async () => {
  const guide = await readRepositoryFile('apps/docs/guides/storage-credentials.md');
  const files = await Array.fromAsync(glob('packages/storage/src/*/*-keys.ts', { cwd: REPOSITORY }));
  const keys = (await Promise.all(files.map((file) => readRepositoryFile(file)))).join('\n');

  const folders = new Set(Array.from(keys.matchAll(/[`'](?<folder>[a-z-]+)\//g), ({ groups }) => groups?.['folder']));
  const named = new Set(Array.from(guide.matchAll(/`(?<folder>[a-z-]+)\/\*`/g), ({ groups }) => groups?.['folder']));

  expect(folders.size).toBeGreaterThan(25);
  expect([...folders].filter((folder) => !named.has(folder))).toEqual([]);
});
