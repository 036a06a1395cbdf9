import { beforeEach, expect, test } from '@jest/globals';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder, aRepository, collect } from '../testing.ts';
import { createRootPlaces, type RootPlaces } from './root-places.ts';

const PLACE = { repository: aRepository, dir: 'prod/network', workspace: 'default' };

let store: ObjectStore;
let places: RootPlaces;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  places = createRootPlaces(store);
});

test('a place that was never deployed has no names', async () => {
  expect(await places.namesAt(PLACE)).toEqual([]);
});

test('a place has every name under which it was deployed, the newest last', async () => {
  for (const name of ['network', 'net', 'network']) await places.add(PLACE, name);

  expect(await createRootPlaces(store).namesAt(PLACE)).toEqual(['net', 'network']);
});

test('two names that are added at once are both kept', async () => {
  const names = ['a', 'b', 'c', 'd'];

  await Promise.all(names.map((name) => createRootPlaces(store).add(PLACE, name)));

  expect((await places.namesAt(PLACE)).toSorted()).toEqual(names);
});

test('a place forgets its oldest names', async () => {
  for (let n = 0; n <= 100; n += 1) await places.add(PLACE, `root-${n}`);

  const names = await places.namesAt(PLACE);
  expect(names).toHaveLength(100);
  expect(names).not.toContain('root-0');
});

test.each([
  ['directory', { dir: 'prod' }],
  ['workspace', { workspace: 'other' }],
  ['repository', { repository: { ...aRepository, name: 'other' } }],
])('another %s is another place', async (_what, other) => {
  await places.add(PLACE, 'network');

  expect(await places.namesAt({ ...PLACE, ...other })).toEqual([]);
});

test('its key tells nothing that a path may not hold', async () => {
  await places.add({ ...PLACE, dir: '../a//b:*', workspace: '..' }, 'network');

  expect(await collect(store.list('places/'))).toEqual([
    expect.stringMatching(/^places\/[\w.-]+\/[\w.-]+\/[0-9a-f]{32}\.json$/),
  ]);
});
