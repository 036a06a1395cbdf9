import { beforeEach, expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/domain/host';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder } from '../testing.ts';
import { createHostRecords, type HostRecords } from './host-records.ts';

let store: ObjectStore;
let hosts: HostRecords;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  hosts = createHostRecords(store);
});

test('the last word of a host is kept', async () => {
  await hosts.write(aHost('h1', 1));
  await hosts.write(aHost('h1', 2));

  expect(await hosts.read('h1')).toEqual(aHost('h1', 2));
  expect(await hosts.read('h2')).toBeUndefined();
});

test('a host that said goodbye has no record', async () => {
  await hosts.write(aHost('h1', 0));
  await hosts.remove('h1');

  expect(await hosts.read('h1')).toBeUndefined();
});

test('all hosts that did not say goodbye are listed', async () => {
  for (const hostId of ['h1', 'h2', 'h3']) await hosts.write(aHost(hostId, 1));
  await hosts.remove('h2');

  expect(await hosts.list(unexpected)).toEqual([aHost('h1', 1), aHost('h3', 1)]);
});

test('a record that nobody can read, and one of a newer release, take no other host out of the list', async () => {
  const unreadable: string[] = [];
  await hosts.write(aHost('h1', 1));
  await store.put('hosts/h2.json', Buffer.from('{"version":1,"hostId":'));
  await store.put('hosts/h3.json', Buffer.from('{"version":2}'));

  expect(await hosts.list(({ key }) => unreadable.push(key))).toEqual([aHost('h1', 1)]);
  expect(unreadable.toSorted()).toEqual(['hosts/h2.json', 'hosts/h3.json']);
});

function unexpected(error: Error): never {
  throw error;
}

function aHost(hostId: string, used: number): HostRecord {
  return {
    version: 1,
    hostId,
    at: '2026-01-31T14:00:00.000Z',
    slots: { total: 4, used },
    draining: false,
    release: '1.0.0',
  };
}
