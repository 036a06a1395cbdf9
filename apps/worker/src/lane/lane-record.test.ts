import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LaneRecord } from '@nereid/contracts';
import { createLaneRecords, openObjectStore, type LaneRecords, type ObjectStore } from '@nereid/storage';
import { pino } from 'pino';
import { restoreLane, storeLane } from './lane-record.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const KEY = 'deployments/acme/infra/network/lane.json';
const RECORD: LaneRecord = {
  version: 1,
  repository: REPOSITORY,
  rootName: 'network',
  manual: [],
  merged: [],
  seen: { requestIds: [], merges: [] },
  writer: { runId: 'run-1', sequence: 1 },
};

let folder: string;
let store: ObjectStore;
let records: LaneRecords;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-lane-'));
  store = await openObjectStore(`file:${folder}`);
  records = createLaneRecords(store);
});

afterEach(async () => {
  store.close();
  await rm(folder, { recursive: true, force: true });
});

const logger = pino({ level: 'silent' });
const restore = (shown: string | null = null, laneRecords: Pick<LaneRecords, 'read'> = records) =>
  restoreLane({ laneRecords, logger }, REPOSITORY, 'network', shown);

test('what a store says of itself is not for everybody who reads a check run', async () => {
  const away = { read: () => Promise.reject(new Error('AccessDenied: arn:aws:iam::1234:role/nereid')) };

  const read = await restore(null, away);

  expect(read).toEqual({ kind: 'unreadable', why: 'storage does not give it; the log of the worker says why' });
});

test('a root that was never deployed has no record, and a record comes with its version', async () => {
  const before = await restore();
  const version = await storeLane(records, RECORD, null);

  expect(before).toEqual({ kind: 'restored', stored: null });
  expect(await restore()).toEqual({ kind: 'restored', stored: { record: RECORD, version } });
});

describe.each([
  ['cut off', JSON.stringify(RECORD).slice(0, 60), 'cut off'],
  ["a newer release's", JSON.stringify({ ...RECORD, version: 2 }), 'a newer release wrote it'],
])('a record that is %s', (_what, body, why) => {
  beforeEach(() => store.put(KEY, Buffer.from(body)));

  test('is answered with its path and what is wrong with it', async () => {
    const read = await restore();

    expect(read).toEqual({ kind: 'unreadable', why: expect.stringMatching(`^the record ${KEY} .*${why}`) });
  });

  test('is tried again while that is shown, and answered once it is mended', async () => {
    const read = await restore();
    const shown = read.kind === 'unreadable' ? read.why : null;

    await expect(restore(shown)).rejects.toThrow(KEY);
    await store.put(KEY, Buffer.from(JSON.stringify(RECORD)));
    expect(await restore(shown)).toMatchObject({ kind: 'restored', stored: { record: RECORD } });
  });

  test('is tried again whatever is shown, where the record alone is awaited', async () => {
    const asked = restoreLane({ laneRecords: records, logger }, REPOSITORY, 'network', 'another reason', 'record');

    await expect(asked).rejects.toThrow(KEY);
  });

  test('is not overwritten: it conflicts like any other that was not read', async () => {
    await expect(storeLane(records, RECORD, 'an earlier version')).rejects.toMatchObject({
      type: 'RECORD_CONFLICT',
      nonRetryable: true,
      message: expect.stringContaining(KEY),
    });
    expect(Buffer.from((await store.get(KEY))?.body ?? []).toString()).toBe(body);
  });
});
