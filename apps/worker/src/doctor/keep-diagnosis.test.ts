import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { fail, ok, type Check } from '@nereid/doctor';
import type { WorkerDiagnosis } from '@nereid/domain/host';
import { createWorkerDiagnoses, type WorkerDiagnoses } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import { keepDiagnosis } from './keep-diagnosis.ts';

const store = storeOfEachTest();
let diagnoses: WorkerDiagnoses;

beforeEach(() => {
  diagnoses = createWorkerDiagnoses(store);
});

const git: Check = { name: 'git', run: () => Promise.resolve(ok('git 2.39')) };
const full: Check = { name: 'disk', run: () => Promise.resolve(fail('expected room, found none; make room')) };

test('a worker keeps what its doctor found while it runs, and takes it away with itself', async () => {
  const { stop } = keep({ checks: () => [git, full] });

  const [found] = await some();

  expect(found).toMatchObject({
    hostId: 'h1',
    roles: ['control'],
    examined: [
      { name: 'git', outcome: 'ok' },
      { name: 'disk', outcome: 'fail', remedy: 'make room' },
    ],
  });
  await stop();
  expect(await list()).toEqual([]);
});

test('it examines itself again, and what it says fits in a record', async () => {
  let runs = 0;
  const counted: Check = { name: 'counted', run: () => Promise.resolve(ok(`${(runs += 1)} ${'x'.repeat(10_000)}`)) };
  const { stop } = keep({ checks: () => [counted], everyMs: 1 });

  while (runs < 3) await setTimeout(5);
  const [found] = await some();
  await stop();

  expect(found?.examined[0]?.found).toHaveLength(2_000);
});

test('it examines itself at once when it is told to, also while a check is under way', async () => {
  let found = 'broken';
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const file: Check = {
    name: 'server file',
    run: async () => {
      const now = found;
      await promise;
      return ok(now);
    },
  };
  const { stop, renew } = keep({ checks: () => [file], firstAfterMs: 60_000 });

  renew();
  await setTimeout(1);
  found = 'mended';
  renew();
  resolve(undefined);

  while ((await list())[0]?.examined[0]?.found !== 'mended') await setTimeout(5);
  await stop();
});

test('a worker that stops at once leaves nothing, though a check was under way', async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<undefined>();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const slow: Check = {
    name: 'slow',
    run: async () => {
      onAsked(undefined);
      await promise;
      return ok('done');
    },
  };
  const { stop } = keep({ checks: () => [slow] });
  await asked;

  const stopped = stop();
  resolve(undefined);
  await stopped;

  expect(await list()).toEqual([]);
});

test('what killed workers left is removed after a day', async () => {
  const left = { version: 1, roles: [], tookMs: 1, examined: [] } as const;
  await diagnoses.write({ ...left, hostId: 'dead', at: new Date(Date.now() - 25 * 3_600_000).toISOString() });
  await diagnoses.write({ ...left, hostId: 'ahead', at: '2999-01-01T00:00:00.000Z' });
  await diagnoses.write({ ...left, hostId: 'alive', at: new Date().toISOString() });
  const { stop } = keep({ checks: () => [git] });

  while ((await list()).some(({ hostId }) => hostId === 'dead' || hostId === 'ahead')) await setTimeout(5);
  await stop();

  expect((await list()).map(({ hostId }) => hostId)).toEqual(['alive']);
});

test('a worker whose checks cannot be made goes on, and the log says so', async () => {
  const checks = () => {
    throw new Error('no such key');
  };
  const { stop, log } = keep({ checks });

  while (!log().includes('no such key')) await setTimeout(5);
  await stop();

  expect(log()).toContain('could not be kept');
});

test('a store that does not take it stops nothing, and the log says so', async () => {
  const away = () => Promise.reject(new Error('storage is away'));
  const { stop, log } = keep({ checks: () => [git], diagnoses: { list: away, remove: away, write: away } });

  while (!log().includes('could not be kept')) await setTimeout(5);
  await stop();

  expect(log()).toContain('could not be removed');
});

function keep(options: Partial<Parameters<typeof keepDiagnosis>[0]>) {
  let text = '';
  const logger = pino({}, { write: (line) => (text += line) });
  const about = { hostId: 'h1', roles: ['control'], checks: () => [], firstAfterMs: 0 };
  return { ...keepDiagnosis({ ...about, diagnoses, logger, ...options }), log: () => text };
}

function list(): Promise<readonly WorkerDiagnosis[]> {
  return diagnoses.list((error) => {
    throw error;
  });
}

async function some(): Promise<readonly WorkerDiagnosis[]> {
  for (;;) {
    const all = await list();
    if (all.length > 0) return all;
    await setTimeout(5);
  }
}
