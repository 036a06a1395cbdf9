import { expect, test } from '@jest/globals';
import { createFileStore } from '../objects/file-store.ts';
import { aFolder, collect } from '../testing.ts';
import { createHostRecords, type HostRecord } from './host-records.ts';

test('hosts are listed as they last wrote, until they say goodbye', async () => {
  const hosts = createHostRecords(createFileStore(await aFolder()));
  await hosts.write(aHost('h1', 0));
  await hosts.write(aHost('h1', 2));
  await hosts.write(aHost('h2', 1));

  await hosts.remove('h2');

  expect(await collect(hosts.list())).toEqual([aHost('h1', 2)]);
  expect(await hosts.read('h1')).toEqual(aHost('h1', 2));
  expect(await hosts.read('h2')).toBeUndefined();
});

function aHost(hostId: string, used: number): HostRecord {
  return {
    version: 1,
    hostId,
    at: '2026-11-20T10:00:00.000Z',
    slots: { total: 4, used },
    release: '0.1.0',
    draining: false,
  };
}
