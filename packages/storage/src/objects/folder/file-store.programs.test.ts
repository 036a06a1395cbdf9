import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { InvalidKeyError } from '../../errors.ts';
import { aFolder, collect, eventually } from '../../testing.ts';
import { createFileLock } from './file-lock.ts';
import { createFileStore } from './file-store.ts';

const WRITES_FOR_EVER = join(import.meta.dirname, 'fixtures', 'writes-for-ever.ts');
const ADDS_UP = join(import.meta.dirname, 'fixtures', 'adds-up.ts');

test('a writer that is killed leaves the old content or the new, never a part', async () => {
  const folder = await aFolder();
  const store = createFileStore(folder);

  for (let kill = 0; kill < 5; kill += 1) {
    const child = fork(WRITES_FOR_EVER, [folder]);
    const before = (await store.get('object'))?.version;
    await eventually('a write', async () => ((await store.get('object'))?.version === before ? undefined : true));
    child.kill('SIGKILL');
    await once(child, 'exit');

    const body = (await store.get('object'))?.body ?? Buffer.alloc(0);
    expect(body).toHaveLength(1_000_000);
    expect(new Set(body).size).toBe(1);
  }
});

test('a writer that is killed does not keep others from writing', async () => {
  const folder = await aFolder();
  const store = createFileStore(folder);
  const child = fork(WRITES_FOR_EVER, [folder]);
  await eventually('a write', () => store.get('object'));
  child.kill('SIGKILL');
  await once(child, 'exit');

  await store.put('object', Buffer.from('mine'));

  expect(Buffer.from((await store.get('object'))?.body ?? []).toString()).toBe('mine');
});

test('conditional writes of several processes lose nothing', async () => {
  const folder = await aFolder();
  await createFileStore(folder).put('sum', Buffer.from('0'));

  const children = Array.from({ length: 4 }, () => fork(ADDS_UP, [folder, '25']));
  await Promise.all(children.map(exitCode));

  expect(Buffer.from((await createFileStore(folder).get('sum'))?.body ?? []).toString()).toBe('100');
});

test('one process may change many objects at the same moment', async () => {
  const lock = createFileLock(join(await aFolder(), 'lock'));
  const done: number[] = [];

  await Promise.all(Array.from({ length: 50 }, (_, index) => lock.hold(() => done.push(index))));

  expect(done).toHaveLength(50);
  lock.close();
});

describe('what crashed writers left', () => {
  const leftover = '0c9d7a44-5a53-4c83-9f0d-1d3bb2a0d1c5';

  test('is removed by the next writer when it is older than an hour', async () => {
    const folder = await aFolder();
    await mkdir(join(folder, '~'));
    await writeFile(join(folder, '~', leftover), 'half');
    await utimes(join(folder, '~', leftover), 0, 0);

    await createFileStore(folder).put('a', Buffer.from('x'));

    expect(await readdir(join(folder, '~'))).toEqual(['lock']);
  });

  test('stays while it may belong to a writer at work, and is never listed', async () => {
    const folder = await aFolder();
    await mkdir(join(folder, '~'));
    await writeFile(join(folder, '~', leftover), 'half');
    const store = createFileStore(folder);
    await store.put('a', Buffer.from('x'));

    expect(await readdir(join(folder, '~'))).toContain(leftover);
    expect(await collect(store.list(''))).toEqual(['a']);
  });
});

test('no key is the folder of another', async () => {
  const store = createFileStore(await aFolder());
  await store.put('a/b', Buffer.from('x'));

  await expect(store.put('a', Buffer.from('x'))).rejects.toThrow(InvalidKeyError);
  await expect(store.put('a/b/c', Buffer.from('x'))).rejects.toThrow(InvalidKeyError);
  expect(await store.get('a')).toBeUndefined();
  expect(await store.get('a/b/c')).toBeUndefined();
});

test('a failed write leaves nothing behind', async () => {
  const folder = await aFolder();
  const store = createFileStore(folder);

  await expect(store.put('a', Buffer.from('x'), { ifVersion: 'another' })).rejects.toThrow();

  expect(await readdir(join(folder, '~'))).toEqual(['lock']);
});

async function exitCode(child: ChildProcess): Promise<void> {
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
}
