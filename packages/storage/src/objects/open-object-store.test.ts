import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startMoto, type Moto } from '@nereid/test-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidKeyError, InvalidStorageUrlError, StorageUnavailableError, VersionConflictError } from '../errors.ts';
import { aFolder, bytesOf, collect, streamOf } from '../testing.ts';
import { ABSENT, type ListOptions, type ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-object-store.ts';

let moto: Moto;

beforeAll(async () => {
  const logFile = join(await aFolder(), 'moto.log');
  moto = await startMoto({ env: process.env, report: () => undefined, logFile });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_REGION: 'eu-central-1' });
  const client = new S3Client({ endpoint: moto.endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: 'nereid' }));
}, 600_000);

afterAll(() => moto.stop());

const openers: Record<string, () => Promise<ObjectStore>> = {
  'a folder': async () => openObjectStore(`file:${await aFolder()}/made/when/needed`),
  S3: async () => openObjectStore(`s3://nereid/${randomUUID()}`, { endpoint: moto.endpoint }),
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

describe('a store that is not there', () => {
  test('is unavailable, with the key and without what the service said', async () => {
    const store = await openObjectStore('s3://no-such-bucket/x', { endpoint: moto.endpoint });

    const read = store.get('a/b');

    await expect(read).rejects.toThrow(StorageUnavailableError);
    await expect(read).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', key: 'a/b' });
    await expect(read).rejects.toThrow('cannot read a/b: NoSuchBucket;');
    store.close();
  });

  test('is unavailable where nothing listens', async () => {
    const store = await openObjectStore('s3://nereid', { endpoint: 'http://127.0.0.1:9' });

    await expect(store.put('a', bytes('x'))).rejects.toThrow(StorageUnavailableError);
    await expect(collect(store.list(''))).rejects.toThrow(StorageUnavailableError);
    store.close();
  });

  test('is unavailable where its folder is a file', async () => {
    const store = await openObjectStore('file:/dev/null');

    await expect(store.put('a', bytes('x'))).rejects.toThrow(StorageUnavailableError);
  });
});

test.each([
  'ftp://user:password@host',
  'file:relative',
  'file://host/path',
  's3://',
  's3://UPPER',
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
