import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startClouds, INSTALLS_WITHIN_MS, type Clouds } from '../objects/testing/clouds.ts';
import { openObjectStore } from '../objects/open-object-store.ts';
import { aFolder, collect } from '../testing.ts';
import { createSweeper } from './sweeper.ts';
import { endDeployments, sweepAll, writeLog } from './testing.ts';

let clouds: Clouds;

beforeAll(async () => {
  clouds = await startClouds(await aFolder(), process.env);
}, INSTALLS_WITHIN_MS);

afterAll(() => clouds.stop());

test.each(['file', 's3', 'gs', 'az'] as const)('what is old by the clock of the store goes, in %s', async (name) => {
  const url = name === 'file' ? `file:${await aFolder()}` : `${clouds.urls[name]}/${randomUUID()}`;
  const store = await openObjectStore(url, clouds.options());
  const sweeper = createSweeper({ records: store, logs: store });
  await writeLog(store, 1);
  await endDeployments(store, 52, '2024-01-31T00:00:00.000Z');

  expect(Math.abs((await sweeper.now()) - Date.now())).toBeLessThan(60_000);
  const beforeMs = Date.now() - 60_000;
  expect(await sweepAll(sweeper.deployments, { beforeMs })).toEqual([{ removed: 0, failed: 0 }]);
  expect(await sweepAll(sweeper.logs)).toEqual([{ removed: 1, failed: 0 }]);
  expect(await sweepAll(sweeper.deployments)).toEqual([{ removed: 2, failed: 0 }]);
  expect(await sweepAll(sweeper.days)).toEqual([{ removed: 52, failed: 0 }]);

  expect(await collect(store.list('logs/'))).toEqual([]);
  expect(await collect(store.list('deployments/'))).toHaveLength(50);
  expect(await collect(store.list('begun/'))).toHaveLength(2);
  store.close();
});
