import { expect, test } from '@jest/globals';
import { StorageUnavailableError } from './errors.ts';
import { aFolder, bytesOf, collect, streamOf } from './testing.ts';
import { createFileStore } from './objects/folder/file-store.ts';
import { measuredStore, type StoreRequest } from './measured-store.ts';
import { ABSENT } from './objects/object-store.ts';

const BODY = Buffer.from('body');

async function aMeasuredStore({ isAway = false } = {}) {
  const requests: StoreRequest[] = [];
  const files = createFileStore(await aFolder());
  const store = measuredStore(isAway ? { ...files, ...AWAY } : files, (request) => requests.push(request));
  const told = () => requests.map(({ operation, outcome }) => `${operation} ${outcome}`);
  return { store, requests, told };
}

const away = (): Promise<never> =>
  Promise.reject(new StorageUnavailableError('a', 'read', { cause: new Error('away') }));

const AWAY = {
  get: away,
  getStream: away,
  // eslint-disable-next-line require-yield -- a listing that fails before its first key
  async *list() {
    await away();
  },
};

test('each request is told with its operation, its outcome and its time', async () => {
  const { store, requests, told } = await aMeasuredStore();

  await store.put('a/b', BODY);
  await store.putStream('a/c', streamOf('c'));
  const found = await store.get('a/b');
  const keys = await collect(store.list('a/'));
  const stream = await bytesOf((await store.getStream('a/c')) ?? streamOf());
  await store.delete('a/b');

  expect([found?.body.toString(), keys, stream.toString()]).toEqual(['body', ['a/b', 'a/c'], 'c']);
  expect(told()).toEqual(['put ok', 'put-stream ok', 'get ok', 'list ok', 'get-stream ok', 'delete ok']);
  expect(requests.every(({ durationMs }) => durationMs >= 0)).toBe(true);
});

test('a write that somebody else overtook is a conflict, and no failure of storage', async () => {
  const { store, told } = await aMeasuredStore();
  await store.put('a', BODY);

  await expect(store.put('a', BODY, { ifVersion: ABSENT })).rejects.toThrow('expected version');

  expect(told()).toEqual(['put ok', 'put conflict']);
});

test('a store that is away is unavailable, in whatever way it is asked; a key that is none fails', async () => {
  const { store, told } = await aMeasuredStore({ isAway: true });

  const asked = [store.get('a'), collect(store.list('a/')), store.getStream('a'), store.put('../a', BODY)];
  await Promise.allSettled(asked);

  expect(told().toSorted()).toEqual(['get unavailable', 'get-stream unavailable', 'list unavailable', 'put failed']);
});

test('a listing counts once, when its reader has seen enough', async () => {
  const { store, told } = await aMeasuredStore();
  await store.put('a/b', BODY);
  await store.put('a/c', BODY);

  for await (const key of store.list('a/')) if (key === 'a/b') break;

  expect(told()).toEqual(['put ok', 'put ok', 'list ok']);
});
