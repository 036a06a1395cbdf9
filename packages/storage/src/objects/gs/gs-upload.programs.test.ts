import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startFakeGcs, type Emulator } from '@nereid/test-kit';
import { aFolder, bytesOf, streamOf } from '../../testing.ts';
import { CALL_LIMITS } from '../call-limits.ts';
import type { ObjectStore } from '../object-store.ts';
import { openObjectStore } from '../open-object-store.ts';
import { INSTALLS_WITHIN_MS } from '../testing/clouds.ts';
import { failureOf } from '../testing/failure-of.ts';
import { openFaultyWay, type Fault, type FaultyWay } from '../testing/faulty-way.ts';

const MIB = 1024 * 1024;
/** Three parts: two of 8 MiB, and one of 4. */
const PIECES = Array.from({ length: 20 }, (_, index) => Buffer.alloc(MIB, index));

let gcs: Emulator;
let way: FaultyWay;
let store: ObjectStore;

beforeAll(async () => {
  gcs = await startFakeGcs({
    env: process.env,
    report: () => undefined,
    logFile: join(await aFolder(), 'fake-gcs.log'),
  });
  await fetch(`${gcs.endpoint}/storage/v1/b`, { method: 'POST', body: JSON.stringify({ name: 'nereid' }) });
}, INSTALLS_WITHIN_MS);

afterAll(() => gcs.stop());

beforeEach(async () => {
  way = await openFaultyWay(gcs.endpoint);
  store = await openObjectStore('gs://nereid/x', { gs: { emulator: way.endpoint } }, { ...CALL_LIMITS, pauseMs: 1 });
});

afterEach(() => way.close());

const pass: Fault = { kind: 'pass' };

/** The emulator knows no questions, so these are Google's answers, as it describes them. */
function has(bytes: number): Fault {
  return { kind: 'answer', status: 308, headers: bytes === 0 ? {} : { range: `bytes=0-${bytes - 1}` } };
}

async function isStored(): Promise<boolean> {
  const stream = await store.getStream('large');
  return stream !== undefined && (await bytesOf(stream)).equals(Buffer.concat(PIECES));
}

const ranges = () => way.requests().flatMap(({ contentRange }) => (contentRange === undefined ? [] : [contentRange]));

const [FIRST, SECOND, LAST] = ['bytes 0-8388607/*', 'bytes 8388608-16777215/*', 'bytes 16777216-20971519/20971520'];
const QUESTION = 'bytes */*';

test('a part whose answer was lost is not sent again, when Google says that it has it', async () => {
  way.meet(pass, pass, { kind: 'lost' }, has(16 * MIB));

  await store.putStream('large', streamOf(...PIECES));

  expect(ranges()).toEqual([FIRST, SECOND, QUESTION, LAST]);
  expect(await isStored()).toBe(true);
});

test('a part that Google did not take is sent again', async () => {
  way.meet(pass, { kind: 'answer', status: 503 }, has(0), pass, { kind: 'answer', status: 503 }, has(8 * MIB));

  await store.putStream('large', streamOf(...PIECES));

  expect(ranges()).toEqual([FIRST, QUESTION, FIRST, SECOND, QUESTION, SECOND, LAST]);
  expect(await isStored()).toBe(true);
});

test('of a part of which Google kept a half, the rest is sent', async () => {
  way.meet(pass, pass, has(12 * MIB));

  await store.putStream('large', streamOf(...PIECES));

  expect(ranges()).toEqual([FIRST, SECOND, 'bytes 12582912-16777215/*', LAST]);
});

test('an upload whose last answer was lost is complete, when Google says so', async () => {
  way.meet(pass, pass, pass, { kind: 'lost' }, { kind: 'answer', status: 200 });

  await store.putStream('large', streamOf(...PIECES));

  expect(await isStored()).toBe(true);
});

test.each([
  ['knows no more', { kind: 'answer', status: 410 }, 'UploadGone'],
  ['keeps nothing', has(0), 'UploadStuck'],
] as const)('an upload of which Google %s may work when it is tried again', async (_title, fault, code) => {
  way.meet(pass, fault);

  const error = await failureOf(store.putStream('large', streamOf(...PIECES)));

  expect(error.message).toContain(`found a connection that was refused or broke off (${code}); it may work`);
  // The upload is cancelled.
  expect(way.requests().at(-1)?.method).toBe('DELETE');
});
