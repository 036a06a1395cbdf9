import { beforeEach, expect, test } from '@jest/globals';
import { createFileStore } from '../objects/folder/file-store.ts';
import { aFolder } from '../testing.ts';
import { createHostRecords, type HostRecord, type HostRecords } from './host-records.ts';

let hosts: HostRecords;

beforeEach(async () => {
  hosts = createHostRecords(createFileStore(await aFolder()));
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

  expect(await hosts.list()).toEqual([aHost('h1', 1), aHost('h3', 1)]);
});

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
