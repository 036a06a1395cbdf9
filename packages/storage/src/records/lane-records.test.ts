import { beforeEach, describe, expect, test } from '@jest/globals';
import { BrokenRecordError, UnknownRecordVersionError } from '../errors.ts';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aDeployment, aFolder, aLaneRecord, aRepository } from '../testing.ts';
import { createLaneRecords, RecordConflictError, type LaneRecords } from './lane-records.ts';

const KEY = 'lanes/acme/.github/network.json';

let store: ObjectStore;
let lanes: LaneRecords;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  lanes = createLaneRecords(store);
});

test('a root that was never deployed has no record', async () => {
  expect(await lanes.read(aRepository, 'network')).toBeUndefined();
});

test('a record is read as it was written, with what this release does not check', async () => {
  const record = aLaneRecord({
    running: aDeployment(),
    lock: { kind: 'manual', deploymentId: 'd', revision: 'r', by: 'bob', at: '2026-11-20T10:00:00.000Z' },
  });

  const version = await lanes.write(record, null);

  expect(await lanes.read(aRepository, 'network')).toEqual({ record, version });
  expect(await store.get(KEY)).toBeDefined();
});

test('a record that could not be read again is refused, and what is stored stays', async () => {
  const version = await lanes.write(aLaneRecord(), null);
  const running = { ...aDeployment(), receivedAt: '' };

  const write = lanes.write(aLaneRecord({ running }), version);

  await expect(write).rejects.toMatchObject({ code: 'UNSTORABLE_RECORD', key: KEY });
  await expect(write).rejects.toThrow('running.receivedAt');
  await expect(write).rejects.toThrow(
    'terminate its workflow, which continues from the stored record, and report this',
  );
  expect(await lanes.read(aRepository, 'network')).toEqual({ record: aLaneRecord(), version });
});

describe('after a conflict', () => {
  test('the very same record means that the write had succeeded', async () => {
    const version = await lanes.write(aLaneRecord(), null);

    expect(await lanes.write(aLaneRecord(), null)).toBe(version);
    expect(await lanes.write(aLaneRecord(), 'a version before')).toBe(version);
  });

  test('an earlier write of our own run is not this one', async () => {
    await lanes.write(aLaneRecord(), null);
    const next = aLaneRecord({ writer: { runId: 'run-1', sequence: 2 } });

    await expect(lanes.write(next, null)).rejects.toThrow(RecordConflictError);
  });

  test('another write under the same number, of a task that was lost, is not this one', async () => {
    await lanes.write(aLaneRecord({ merged: [] }), null);

    await expect(lanes.write(aLaneRecord(), null)).rejects.toThrow(RecordConflictError);
  });

  test("another writer's record is handed over and not overwritten", async () => {
    const theirs = aLaneRecord({ writer: { runId: 'run-2', sequence: 9 } });
    const version = await lanes.write(theirs, null);

    const ours = lanes.write(aLaneRecord(), null);

    await expect(ours).rejects.toMatchObject({ code: 'RECORD_CONFLICT', stored: { record: theirs, version } });
    expect((await lanes.read(aRepository, 'network'))?.record).toEqual(theirs);
  });

  test('with a record that was removed, nothing is handed over', async () => {
    const version = await lanes.write(aLaneRecord(), null);
    await store.delete(KEY);

    await expect(lanes.write(aLaneRecord(), version)).rejects.toMatchObject({
      code: 'RECORD_CONFLICT',
      stored: undefined,
    });
  });
});

describe('a stored record is refused with its path', () => {
  test.each([
    ['cut off', JSON.stringify(aLaneRecord()).slice(0, 100)],
    ['empty', ''],
    ['not an object', '[]'],
    ['without a version', '{}'],
    ['without its queue', JSON.stringify({ ...aLaneRecord(), manual: undefined })],
    ['with garbage in its queue', JSON.stringify({ ...aLaneRecord(), merged: [{ id: 1 }] })],
    ['with a status that does not exist', JSON.stringify({ ...aLaneRecord(), latest: { status: 'fine' } })],
  ])('when it is %s', async (_why, body) => {
    await store.put(KEY, Buffer.from(body));

    const read = lanes.read(aRepository, 'network');

    await expect(read).rejects.toThrow(BrokenRecordError);
    await expect(read).rejects.toThrow(KEY);
  });

  test('when a newer release wrote it', async () => {
    await store.put(KEY, Buffer.from('{"version":2,"something":"new"}'));

    const read = lanes.read(aRepository, 'network');

    await expect(read).rejects.toThrow(UnknownRecordVersionError);
    await expect(read).rejects.toMatchObject({ key: KEY, version: 2 });
  });
});
