import { beforeEach, describe, expect, test } from '@jest/globals';
import { InvalidKeyError, StorageUnavailableError } from '../errors.ts';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aFolder, collect, eventually } from '../testing.ts';
import { createJobLogs } from './job-logs.ts';
import { LOG_PACE, type LogPace, type LogWriterOptions } from './log-writer.ts';

const quick: LogPace = { flushMs: 20, patienceMs: 100, retryMs: 5, pauseMs: 50 };
const options: LogWriterOptions = { mask: ['hunter2'], onError: () => undefined };

let store: ObjectStore;

beforeEach(async () => {
  store = createFileStore(await aFolder());
});

describe('a log is written', () => {
  test('while the job runs, a moment after the output came', async () => {
    const logs = createJobLogs(store, quick).of('default');
    const writer = logs.writer('job', options);

    await writer.write(Buffer.from('Initializing\n'));

    const size = await eventually('a chunk', async () =>
      (await logs.reader('job').size()).bytes > 0 ? logs.reader('job').size() : undefined,
    );
    expect(size).toEqual({ bytes: 13, isComplete: false });
    await writer.end();
  });

  test('in chunks of 64 KiB when much comes, closed with a manifest', async () => {
    const writer = createJobLogs(store).of('default').writer('job', options);

    await writer.write(Buffer.alloc(150_000, 'x'));
    await writer.end();

    expect(await collect(store.list('logs/'))).toEqual([
      'logs/default/job/000000000000',
      'logs/default/job/000000065536',
      'logs/default/job/000000131072',
      'logs/default/job/manifest.json',
    ]);
    const manifest: unknown = JSON.parse(
      Buffer.from((await store.get('logs/default/job/manifest.json'))?.body ?? []).toString(),
    );
    expect(manifest).toMatchObject({ version: 1, chunks: 3, bytes: 150_000, lostBytes: 0 });
  });

  test('without secrets, also those that two chunks would share', async () => {
    const writer = createJobLogs(store).of('default').writer('job', options);

    await writer.write(Buffer.from(`${'x'.repeat(65_532)}hunter2, hun`));
    await writer.write(Buffer.from('ter2 and hunt'));
    await writer.end();

    expect(await wholeLog()).toBe(`${'x'.repeat(65_532)}***, *** and hunt`);
  });

  test('without secrets that came to be known while it was written, also where two pieces of output share one', async () => {
    const writer = createJobLogs(store).of('default').writer('job', options);

    await writer.write(Buffer.from('init\n'));
    writer.learn('made-by-a-step');
    await writer.write(Buffer.from('token = made-by'));
    await writer.write(Buffer.from('-a-step, hunter2\n'));
    await writer.end();

    expect(await wholeLog()).toBe('init\ntoken = ***, ***\n');
  });

  test('by a job that is tried again, behind what its first attempt wrote', async () => {
    const logs = createJobLogs(store).of('default');
    for (const attempt of ['first\n', 'second\n']) {
      const writer = logs.writer('job', options);
      await writer.write(Buffer.from(attempt));
      await writer.end();
    }

    expect(await wholeLog()).toBe('first\nsecond\n');
    expect(await logs.reader('job').size()).toEqual({ bytes: 13, isComplete: true });
  });
});

describe('a store that fails', () => {
  test('is told of, asked again, and loses nothing when it comes back in time', async () => {
    const errors: unknown[] = [];
    const logs = createJobLogs(failing(3), { ...LOG_PACE, retryMs: 5 }).of('default');
    const writer = logs.writer('job', { mask: [], onError: (error) => errors.push(error) });

    await writer.write(Buffer.from('all of it'));
    await writer.end();

    expect(errors).toHaveLength(3);
    expect(errors[0]).toBeInstanceOf(StorageUnavailableError);
    expect(await wholeLog()).toBe('all of it');
  });

  test('never fails the job, whose log stays open', async () => {
    const writer = createJobLogs(failing(Infinity), quick).of('default').writer('job', options);

    await writer.write(Buffer.alloc(3_000_000, 'x'));
    await writer.end();

    expect(await collect(store.list(''))).toEqual([]);
  });

  test('leaves a sentence where output is missing', async () => {
    let isDown = true;
    const flaky = failing(() => isDown);
    const logs = createJobLogs(flaky, { ...quick, patienceMs: 0, pauseMs: 0 }).of('default');
    const errors: unknown[] = [];
    const writer = logs.writer('job', { mask: [], onError: (error) => errors.push(error) });
    await writer.write(Buffer.from('lost'));
    await eventually('a failure', () => Promise.resolve(errors[0]));
    isDown = false;

    await writer.write(Buffer.from('stored'));
    await writer.end();

    expect(await wholeLog()).toBe('\n[nereid: 4 bytes of this log could not be stored]\nstored');
  });

  test('that is slow holds the writer back once a megabyte waits', async () => {
    const released = Promise.withResolvers<undefined>();
    const slow: ObjectStore = { ...store, put: async (...args) => (await released.promise, store.put(...args)) };
    const writer = createJobLogs(slow).of('default').writer('job', options);
    await writer.write(Buffer.alloc(1_000_000));

    const held = writer.write(Buffer.alloc(1_000_000)).then(() => 'written');
    const first = await Promise.race([held, Promise.resolve('held back')]);
    released.resolve(undefined);

    expect(first).toBe('held back');
    expect(await held).toBe('written');
    await writer.end();
  });
});

describe('a log is read', () => {
  test('from any offset, up to a limit', async () => {
    await writeLog(Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251)));
    const reader = createJobLogs(store).of('default').reader('job');

    const part = await reader.read(65_530, 10);
    const end = await reader.read(199_990, 1_000);

    expect([...part.bytes]).toEqual(Array.from({ length: 10 }, (_, index) => (65_530 + index) % 251));
    expect(part.nextOffset).toBe(65_540);
    expect(end.bytes).toHaveLength(10);
    expect(await reader.read(200_000, 10)).toEqual({ bytes: Buffer.alloc(0), nextOffset: 200_000 });
  });

  test('of 100 MB at its end with a handful of requests', async () => {
    const counted = counting(store);
    for (let offset = 0; offset < 100 * 1024 * 1024; offset += 65_536)
      await store.put(
        `logs/default/job/${String(offset).padStart(12, '0')}`,
        Buffer.alloc(offset > 104_700_000 ? 65_536 : 1),
        {
          synced: false,
        },
      );
    const reader = createJobLogs(counted.store).of('default').reader('job');

    const { bytes } = await reader.size();
    const { nextOffset } = await reader.read(bytes - 65_536, 65_536);

    expect([bytes, nextOffset]).toEqual([104_857_600, 104_857_600]);
    expect(counted.requests()).toBeLessThanOrEqual(6);
  });

  test('as empty when the job has none', async () => {
    const reader = createJobLogs(store).of('default').reader('none');

    expect(await reader.size()).toEqual({ bytes: 0, isComplete: false });
    expect((await reader.read(0, 10)).bytes).toHaveLength(0);
  });

  test('only for a job id that is one', () => {
    expect(() => createJobLogs(store).of('default').reader('../plans')).toThrow(InvalidKeyError);
  });
});

describe('a follower', () => {
  test('gets what is there and what comes, and the end', async () => {
    const logs = createJobLogs(store, quick).of('default');
    const writer = logs.writer('job', options);
    await writer.write(Buffer.from('one '));
    const events = logs.reader('job').follow(0, { pollMs: 5 })[Symbol.asyncIterator]();

    const first = await events.next();
    await writer.write(Buffer.from('two'));
    await writer.end();
    const rest = await collect({ [Symbol.asyncIterator]: () => events });

    expect(first.value).toEqual({ kind: 'output', offset: 0, bytes: Buffer.from('one '), nextOffset: 4 });
    expect(rest).toEqual([
      { kind: 'output', offset: 4, bytes: Buffer.from('two'), nextOffset: 7 },
      { kind: 'ended', bytes: 7, lostBytes: 0 },
    ]);
  });

  test('goes on from the offset it had reached', async () => {
    await writeLog(Buffer.from('one two'));

    const [output] = await collect(createJobLogs(store).of('default').reader('job').follow(4));

    expect(output).toEqual({ kind: 'output', offset: 4, bytes: Buffer.from('two'), nextOffset: 7 });
  });

  test('is told that the job broke off when nothing comes and the log was not closed', async () => {
    await store.put('logs/default/job/000000000000', Buffer.from('half'));

    const events = await collect(
      createJobLogs(store).of('default').reader('job').follow(0, { pollMs: 5, silenceMs: 20 }),
    );

    expect(events.map(({ kind }) => kind)).toEqual(['output', 'broke-off']);
  });

  test('who wants the end goes on near it when the log is far ahead, and is told what was left out', async () => {
    for (const begin of [0, 4, 8, 12])
      await store.put(`logs/default/job/${String(begin).padStart(12, '0')}`, Buffer.from('four'));
    const follow = (beyondBytes: number) =>
      collect(
        createJobLogs(store)
          .of('default')
          .reader('job')
          .follow(2, { pollMs: 5, silenceMs: 20, skip: { beyondBytes, toLastBytes: 5 } }),
      );

    const [skipped, output] = await follow(9);

    expect(skipped).toEqual({ kind: 'skipped', bytes: 6, nextOffset: 8 });
    expect(output).toMatchObject({ kind: 'output', offset: 8, nextOffset: 12 });
    expect((await follow(10)).map(({ kind }) => kind)).toEqual(['output', 'output', 'output', 'output', 'broke-off']);
  });

  test('that leaves is let go at once', async () => {
    const leaving = new AbortController();
    const events = collect(
      createJobLogs(store).of('default').reader('job').follow(0, { signal: leaving.signal, pollMs: 3_600_000 }),
    );

    leaving.abort();

    expect(await events).toEqual([]);
  });
});

async function writeLog(content: Uint8Array): Promise<void> {
  const writer = createJobLogs(store)
    .of('default')
    .writer('job', { mask: [], onError: () => undefined });
  await writer.write(content);
  await writer.end();
}

async function wholeLog(): Promise<string> {
  const { bytes } = await createJobLogs(store).of('default').reader('job').read(0, Infinity);
  return Buffer.from(bytes).toString();
}

/** The store, whose next writes fail. */
function failing(times: number | (() => boolean)): ObjectStore {
  let left = typeof times === 'number' ? times : 0;
  const isDown = () => (typeof times === 'function' ? times() : left-- > 0);
  return {
    ...store,
    put: (key, ...rest) =>
      isDown() ? Promise.reject(new StorageUnavailableError(key, 'write', { cause: 'down' })) : store.put(key, ...rest),
  };
}

function counting(inner: ObjectStore) {
  let requests = 0;
  const counted: ObjectStore = {
    ...inner,
    get: (key) => ((requests += 1), inner.get(key)),
    list: (prefix, listOptions) => ((requests += 1), inner.list(prefix, listOptions)),
  };
  return { store: counted, requests: () => requests };
}

test('a log that is removed leaves nothing, and takes no other with it', async () => {
  const logs = createJobLogs(store).of('default');
  for (const job of ['job', 'job-2']) {
    const writer = logs.writer(job, options);
    await writer.write(Buffer.alloc(150_000, 'x'));
    await writer.end();
    await logs.planTexts.write(job, { text: 'Plan', leftOut: 0, isShortened: false });
  }

  await logs.remove('job');

  expect(await collect(store.list('logs/default/job/'))).toEqual([]);
  expect(await collect(store.list('logs/default/job-2/'))).toHaveLength(5);
});
