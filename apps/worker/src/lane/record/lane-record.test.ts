import { beforeEach, describe, expect, test } from '@jest/globals';
import { aRecord, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { createLaneRecords, type LaneRecords } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import { findHint, readLane, storeLane } from './lane-record.ts';

const KEY = 'lanes/acme/infra/network.json';
const RECORD = aRecord({ writer: { runId: 'run-1', sequence: 1 } });
const NEXT = aRecord({ writer: { runId: 'run-1', sequence: 2 } });
const OTHER = aRecord({ writer: { runId: 'run-2', sequence: 1 } });

const store = storeOfEachTest();
let records: LaneRecords;

beforeEach(() => {
  records = createLaneRecords(store);
});

const logger = pino({ level: 'silent' });
const read = (shown: string | null = null, awaited: 'news' | 'record' = 'news') =>
  readLane({ laneRecords: records, logger }, REPOSITORY, 'network', shown, awaited);

test('what a store says of itself is not for everybody who reads a check run', async () => {
  const away = { read: () => Promise.reject(new Error('AccessDenied: arn:aws:iam::1234:role/nereid')) };

  const answer = await readLane({ laneRecords: away, logger }, REPOSITORY, 'network', null, 'news');

  expect(answer).toEqual({ kind: 'unreadable', why: 'storage does not give it; the log of the worker says why' });
});

test('a root that was never deployed has no record', async () => {
  expect(await read()).toEqual({ kind: 'read', stored: null });
});

test('a record is read with the version that it was stored with', async () => {
  const stored = await storeLane(records, RECORD, null);

  expect(stored).toEqual({ kind: 'stored', version: expect.any(String) });
  const version = stored.kind === 'stored' ? stored.version : '';
  expect(await read()).toEqual({ kind: 'read', stored: { record: RECORD, version } });
});

test('what another run stored in between is answered, and not overwritten', async () => {
  const version = await records.write(OTHER, null);

  const stored = await storeLane(records, RECORD, null);

  expect(stored).toEqual({ kind: 'other', stored: { record: OTHER, version } });
  expect(await records.read(REPOSITORY, 'network')).toEqual({ record: OTHER, version });
});

test('what the same run stored before, without hearing of it, is overwritten', async () => {
  await records.write(RECORD, null);

  const stored = await storeLane(records, NEXT, null);

  expect(stored.kind).toBe('stored');
  expect((await records.read(REPOSITORY, 'network'))?.record).toEqual(NEXT);
});

test('what the same run stored later is not overwritten by an attempt that comes late', async () => {
  const version = await records.write(NEXT, null);

  expect(await storeLane(records, RECORD, null)).toEqual({ kind: 'other', stored: { record: NEXT, version } });
});

test('a record that somebody removed is stored again', async () => {
  const version = await records.write(RECORD, null);
  await store.delete(KEY);

  const stored = await storeLane(records, NEXT, version);

  expect(stored.kind).toBe('stored');
  expect((await records.read(REPOSITORY, 'network'))?.record).toEqual(NEXT);
});

test('a record that could not be read again is not stored, with a sentence that the lane can show', async () => {
  const version = await records.write(RECORD, null);
  const store = storeLane(records, { ...NEXT, merged: [deploymentAt(1, { receivedAt: '' })] }, version);

  await expect(store).rejects.toThrow(/^.{1,250}$/);
  await expect(store).rejects.toThrow(`${KEY} could not be read again`);
  expect((await records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
});

describe.each([
  ['cut off', JSON.stringify(RECORD).slice(0, 60), 'cut off'],
  ["a newer release's", JSON.stringify({ ...RECORD, version: 2 }), 'a newer release wrote it'],
])('a record that is %s', (_what, body, why) => {
  beforeEach(() => store.put(KEY, Buffer.from(body)));

  test('is answered with its path and what is wrong with it', async () => {
    const answer = await read();

    expect(answer).toEqual({ kind: 'unreadable', why: expect.stringMatching(`^the record ${KEY} .*${why}`) });
  });

  test('is tried again while that is shown, and answered once it is mended', async () => {
    const answer = await read();
    const shown = answer.kind === 'unreadable' ? answer.why : null;

    await expect(read(shown)).rejects.toMatchObject({ type: 'UNCHANGED', nonRetryable: false, category: 'BENIGN' });
    await store.put(KEY, Buffer.from(JSON.stringify(RECORD)));
    expect(await read(shown)).toMatchObject({ kind: 'read', stored: { record: RECORD } });
  });

  test('is tried again whatever is shown, where the record alone is awaited', async () => {
    await expect(read('another reason', 'record')).rejects.toThrow(KEY);
  });

  test('is not overwritten', async () => {
    const stored = await storeLane(records, RECORD, 'an earlier version');

    expect(stored).toEqual({ kind: 'unreadable', why: expect.stringMatching(`^the record ${KEY} .*${why}`) });
    expect(Buffer.from((await store.get(KEY))?.body ?? []).toString()).toBe(body);
  });
});

describe('a message brings the lane that it may start', () => {
  const hint = async (laneRecords: Pick<LaneRecords, 'read'> = records) =>
    await findHint({ laneRecords }, REPOSITORY, 'network');

  test('its record, when the lane is at rest, and when the message was sent', async () => {
    const version = await records.write(RECORD, null);
    const sent = Date.now();

    const { stored, at } = (await hint()) ?? {};

    expect(stored).toEqual({ record: RECORD, version });
    expect(at).toBeGreaterThanOrEqual(sent);
  });

  test('that it has no record, when the root was never deployed', async () => {
    expect(await hint()).toMatchObject({ stored: null });
  });

  test('nothing where something waits', async () => {
    await records.write(aRecord({ merged: [deploymentAt(1)] }), null);

    expect(await hint()).toBeUndefined();
  });

  test('nothing where storage fails or takes its time', async () => {
    expect(await hint({ read: () => Promise.reject(new Error('away')) })).toBeUndefined();
    expect(await hint({ read: () => Promise.withResolvers<never>().promise })).toBeUndefined();
  });
});
