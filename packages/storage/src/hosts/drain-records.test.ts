import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DrainRecord } from '@nereid/domain/host';
import { BrokenRecordError } from '../errors.ts';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder } from '../testing.ts';
import { createDrainRecords, type DrainRecords } from './drain-records.ts';

let store: ObjectStore;
let drains: DrainRecords;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  drains = createDrainRecords(store);
});

describe('what an operator asks of a host', () => {
  test('is kept, until it is asked for something else', async () => {
    expect(await drains.read('h1')).toBeUndefined();

    await drains.ask(asked('drain', 1));
    expect(await drains.read('h1')).toEqual(asked('drain', 1));

    expect(await drains.ask(asked('resume', 2))).toEqual(asked('resume', 2));
    expect(await drains.read('h1')).toEqual(asked('resume', 2));
  });

  test('before somebody asked for something else comes too late', async () => {
    await drains.ask(asked('resume', 2));

    expect(await drains.ask(asked('drain', 1))).toEqual(asked('resume', 2));
    expect(await drains.read('h1')).toEqual(asked('resume', 2));
  });

  test('at the same time as others ends as the last one asked', async () => {
    const minutes = [3, 1, 5, 2, 4];

    await Promise.all(minutes.map((minute) => drains.ask(asked(minute % 2 === 0 ? 'resume' : 'drain', minute))));

    expect(await drains.read('h1')).toEqual(asked('drain', 5));
  });
});

test('a record that cannot be read is told of, left out of lists, and replaced by the next request', async () => {
  const broken: string[] = [];
  await store.put('drains/h1.json', Buffer.from('{"version":1,"hostId":'));
  await drains.ask({ ...asked('drain', 1), hostId: 'h2' });

  const listed = await drains.list(({ key }) => broken.push(key));

  expect([listed.map(({ hostId }) => hostId), broken]).toEqual([['h2'], ['drains/h1.json']]);
  await expect(drains.read('h1')).rejects.toBeInstanceOf(BrokenRecordError);
  expect(await drains.ask(asked('drain', 1))).toEqual(asked('drain', 1));
});

test('a record that is removed is gone', async () => {
  await drains.ask(asked('drain', 1));
  await drains.remove('h1');

  expect(await drains.read('h1')).toBeUndefined();
});

function asked(action: DrainRecord['action'], minute: number): DrainRecord {
  const at = new Date(Date.UTC(2026, 0, 31, 14, minute)).toISOString();
  return { version: 1, hostId: 'h1', action, requestId: `r${minute}`, by: 'bob', at };
}
