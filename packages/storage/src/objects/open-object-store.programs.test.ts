import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidKeyError, InvalidStorageUrlError, StorageUnavailableError, VersionConflictError } from '../errors.ts';
import { aFolder, bytesOf, collect, streamOf } from '../testing.ts';
import { CALL_LIMITS } from './call-limits.ts';
import { ABSENT, type ListOptions, type ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';
import { INSTALLS_WITHIN_MS, startClouds, type Clouds } from './testing/clouds.ts';

let clouds: Clouds;

beforeAll(async () => {
  clouds = await startClouds(await aFolder(), process.env);
}, INSTALLS_WITHIN_MS);

afterAll(() => clouds.stop());

/** A few keys take several pages. */
const LIMITS = { ...CALL_LIMITS, pageKeys: 10 };

const inCloud = (name: 's3' | 'gs' | 'az') => () =>
  openObjectStore(`${clouds.urls[name]}/${randomUUID()}`, clouds.options(), LIMITS);

const openers: Record<string, () => Promise<ObjectStore>> = {
  'a folder': async () => openObjectStore(`file:${await aFolder()}/made/when/needed`),
  S3: inCloud('s3'),
  'Google Cloud Storage': inCloud('gs'),
  'Azure Blob Storage': inCloud('az'),
};

describe.each(Object.entries(openers))('objects in %s', (_name, open) => {
  let store: ObjectStore;

  beforeAll(async () => {
    store = await open();
  });

  afterAll(() => {
    store.close();
  });

  test('are read as they were written, with the version that writing answered', async () => {
    const version = await store.put('acme/.github/a.json', bytes('one'));

    const found = await store.get('acme/.github/a.json');

    expect(found).toEqual({ body: expect.anything(), version });
    expect(text(found?.body)).toBe('one');
  });

  test('that do not exist are undefined, read whole or as a stream', async () => {
    expect(await store.get('absent')).toBeUndefined();
    expect(await store.getStream('absent')).toBeUndefined();
  });

  test('are replaced, with another version', async () => {
    const first = await store.put('replaced', bytes('one'));
    const second = await store.put('replaced', bytes('two'), { synced: false });

    expect(second).not.toBe(first);
    expect(text((await store.get('replaced'))?.body)).toBe('two');
  });

  test('may be empty', async () => {
    await store.put('empty', bytes(''));
    await store.putStream('empty-stream', streamOf());

    expect((await store.get('empty'))?.body).toHaveLength(0);
    expect((await store.get('empty-stream'))?.body).toHaveLength(0);
  });

  test('are written only where none is, when that is asked', async () => {
    await store.put('only-once', bytes('one'), { ifVersion: ABSENT });

    const again = store.put('only-once', bytes('two'), { ifVersion: ABSENT });

    await expect(again).rejects.toThrow(VersionConflictError);
    expect(text((await store.get('only-once'))?.body)).toBe('one');
  });

  test('are written only over the version that is named', async () => {
    const first = await store.put('guarded', bytes('one'));
    await store.put('guarded', bytes('two'), { ifVersion: first });

    const late = store.put('guarded', bytes('three'), { ifVersion: first });

    await expect(late).rejects.toMatchObject({ code: 'VERSION_CONFLICT', key: 'guarded', expected: first });
    expect(text((await store.get('guarded'))?.body)).toBe('two');
  });

  test('that are gone conflict with every version', async () => {
    const version = await store.put('gone', bytes('one'));
    await store.delete('gone');

    await expect(store.put('gone', bytes('two'), { ifVersion: version })).rejects.toThrow(VersionConflictError);
  });

  test('are written by one of ten writers that read the same version', async () => {
    let version = await store.put('contended', bytes('start'));

    for (let round = 0; round < 5; round += 1) {
      const ifVersion = version;
      const writes = Array.from({ length: 10 }, (_, writer) =>
        store.put('contended', bytes(`${round} by ${writer}`), { ifVersion }),
      );
      const won = (await Promise.allSettled(writes)).filter((write) => write.status === 'fulfilled');
      expect(won).toHaveLength(1);
      version = won[0]?.value ?? '';
    }

    expect((await store.get('contended'))?.version).toBe(version);
  });

  test('are removed, and removing one that is not there is no failure', async () => {
    await store.put('removed', bytes('one'));

    await store.delete('removed');
    await store.delete('removed');

    expect(await store.get('removed')).toBeUndefined();
  });

  test('are listed below a prefix in the order of their characters', async () => {
    for (const key of ['list/b/2', 'list/b-/1', 'list/b/10', 'list/a', 'listed', 'list/c/d/e'])
      await store.put(key, bytes('x'));

    expect(await collect(store.list('list/'))).toEqual(['list/a', 'list/b-/1', 'list/b/10', 'list/b/2', 'list/c/d/e']);
  });

  test('are listed after a key, up to a limit', async () => {
    for (const key of ['page/1', 'page/2/a', 'page/2/b', 'page/3', 'page/4']) await store.put(key, bytes('x'));

    expect(await collect(store.list('page/', { after: 'page/2/a', limit: 2 }))).toEqual(['page/2/b', 'page/3']);
    expect(await collect(store.list('page/', { after: 'page/25' }))).toEqual(['page/3', 'page/4']);
    expect(await collect(store.list('page/', { limit: 0 }))).toEqual([]);
    expect(await collect(store.list('nothing/'))).toEqual([]);
  });

  test('are listed over several pages', async () => {
    const keys = Array.from({ length: 25 }, (_, number) => `pages/${number + 10}`);
    for (const key of keys) await store.put(key, bytes(''), { synced: false });

    expect(await collect(store.list('pages/'))).toEqual(keys);
    expect(await collect(store.list('pages/', { after: 'pages/11', limit: 22 }))).toEqual(keys.slice(2, 24));
  });

  test('are listed with a stamp that stays until they change', async () => {
    for (const key of ['stamped/1', 'stamped/2', 'stamped/3', 'stamped/4']) await store.put(key, bytes('x'));
    const before = await stampsOf('stamped/');

    await store.put('stamped/2', bytes('y'));
    await store.delete('stamped/3');
    await store.put('stamped/5', bytes('x'));

    const after = await stampsOf('stamped/');
    expect([...before.keys()]).toEqual(['stamped/1', 'stamped/2', 'stamped/3', 'stamped/4']);
    expect([...after.keys()]).toEqual(['stamped/1', 'stamped/2', 'stamped/4', 'stamped/5']);
    expect(['1', '2', '4'].map((name) => after.get(`stamped/${name}`) === before.get(`stamped/${name}`))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('are listed with stamps after a key, up to a limit', async () => {
    for (let n = 100; n < 250; n += 1) await store.put(`many/${n}`, bytes('x'), { synced: false });

    const found = await stampsOf('many/', { after: 'many/120', limit: 100 });

    expect(found.size).toBe(100);
    expect([...found.keys()].at(0)).toBe('many/121');
    expect([...found.keys()].at(-1)).toBe('many/220');
    expect((await stampsOf('many/')).size).toBe(150);
    expect((await stampsOf('many/', { limit: 0 })).size).toBe(0);
  });

  async function stampsOf(prefix: string, options?: ListOptions): Promise<ReadonlyMap<string, string>> {
    const found = await collect(store.listStamped(prefix, options));
    return new Map(found.map(({ key, stamp }) => [key, stamp]));
  }

  test('of 20 MB pass through in pieces', async () => {
    const pieces = Array.from({ length: 20 }, (_, index) => Buffer.alloc(1024 * 1024, index));
    await store.putStream('large', streamOf(...pieces));

    const stream = await store.getStream('large');

    expect(stream && (await bytesOf(stream)).equals(Buffer.concat(pieces))).toBe(true);
  });

  test('of exactly two parts pass through in pieces', async () => {
    const part = Buffer.alloc(8 * 1024 * 1024, 'a');
    await store.putStream('two-parts', streamOf(part, part));

    const stream = await store.getStream('two-parts');

    expect(stream && (await bytesOf(stream)).equals(Buffer.concat([part, part]))).toBe(true);
  });

  test('that are written as two streams at once are one of them, whole', async () => {
    const ones = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, '1'));
    const twos = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, '2'));

    const writes = [ones, twos].map((pieces) => store.putStream('streamed-twice', streamOf(...pieces)));
    const ended = await Promise.allSettled(writes);

    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    const body = Buffer.from((await store.get('streamed-twice'))?.body ?? []);
    expect([ones, twos].map((pieces) => body.equals(Buffer.concat(pieces)))).toContain(true);
  });

  test('whose reader stops early do not keep the store from anything else', async () => {
    await store.putStream('half-read', streamOf(Buffer.alloc(4 * 1024 * 1024, 'a')));

    for await (const piece of (await store.getStream('half-read')) ?? []) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }

    expect((await store.get('half-read'))?.body).toHaveLength(4 * 1024 * 1024);
  });

  test('do not appear when their stream breaks off, and its own error is thrown', async () => {
    const broken = new Error('the source broke');
    async function* breaking() {
      yield* streamOf(Buffer.alloc(9 * 1024 * 1024));
      throw broken;
    }

    await expect(store.putStream('broken', breaking())).rejects.toBe(broken);
    expect(await store.get('broken')).toBeUndefined();
  });

  test.each(['', '/etc/passwd', '../up', 'a/../b', 'a//b', 'a/', '.', '~/lock', 'a b', 'a\0b', 'ü', 'a'.repeat(1025)])(
    'have no key like %j',
    async (key) => {
      await expect(store.put(key, bytes('x'))).rejects.toThrow(InvalidKeyError);
      await expect(store.get(key)).rejects.toThrow(InvalidKeyError);
      await expect(store.delete(key)).rejects.toThrow(InvalidKeyError);
      await expect(collect(store.list(`${key}/`))).rejects.toThrow(InvalidKeyError);
    },
  );
});

test('a folder that is a file is unavailable', async () => {
  const store = await openObjectStore('file:/dev/null');

  await expect(store.put('a', bytes('x'))).rejects.toThrow(StorageUnavailableError);
});

test.each([
  'ftp://user:password@host',
  'file:relative',
  'file://host/path',
  's3://',
  's3://UPPER',
  'gs://',
  'gs://a b/c',
  'az://',
  'az://account',
  'az://account/UPPER',
  'az://account.blob.core.windows.net/container',
  '/folder',
  'file:/a%',
])('the address %s is refused without being repeated', async (url) => {
  const opening = openObjectStore(url);

  await expect(opening).rejects.toThrow(InvalidStorageUrlError);
  await expect(opening).rejects.not.toThrow(/password/);
});

function bytes(content: string): Uint8Array {
  return Buffer.from(content);
}

function text(body: Uint8Array | undefined): string | undefined {
  return body && Buffer.from(body).toString();
}
