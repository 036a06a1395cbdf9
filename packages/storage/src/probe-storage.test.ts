import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openObjectStore } from './objects/open-object-store.ts';
import { probeStorage, whatIsWrong } from './probe-storage.ts';
import { aFolder, collect } from './testing.ts';

test('a folder that can be written is usable, and left as it was', async () => {
  const folder = await aFolder();

  expect(await probeStorage(`file:${folder}`, {}, 'all')).toEqual({ kind: 'usable' });

  expect(await collect((await openObjectStore(`file:${folder}`)).list(''))).toEqual([]);
});

test('a file in the place of the folder is not', async () => {
  const folder = await aFolder();
  await writeFile(join(folder, 'a-file'), '');

  expect(await probeStorage(`file:${folder}/a-file/store`, {}, 'all')).toMatchObject({ kind: 'unusable' });
});

test('a store that takes every write is found out, and the object removed', async () => {
  const folder = await aFolder();
  const store = await openObjectStore(`file:${folder}`);
  const careless: typeof store = { ...store, put: (key, body) => store.put(key, body) };

  expect(await whatIsWrong(careless, 'all')).toBe(
    'expected a write where no object may be to be refused, found that it replaced one; use a store that checks If-Match and If-None-Match, because workers would overwrite each other',
  );
  expect(await collect(store.list(''))).toEqual([]);
});
