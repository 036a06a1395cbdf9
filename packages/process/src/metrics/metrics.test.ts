import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureServerFile } from './server-file-metrics.ts';
import { measureStores } from './storage-metrics.ts';
import { measureTemporal } from './temporal-metrics.ts';

async function linesOf(registry: Registry, name: string): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
}

test('requests to storage are counted by store, operation and outcome, zero before the first', async () => {
  const registry = new Registry();
  const onRequest = measureStores(registry, ['logs'])('logs');

  onRequest({ operation: 'put', outcome: 'unavailable', durationMs: 2_000 });

  const lines = await linesOf(registry, 'nereid_storage_requests_total');
  expect(lines).toContain('nereid_storage_requests_total{store="logs",operation="put",outcome="unavailable"} 1');
  expect(lines).toContain('nereid_storage_requests_total{store="logs",operation="get",outcome="unavailable"} 0');
});

test('the time of a listing, which is also that of its reader, is not counted as that of storage', async () => {
  const registry = new Registry();
  const onRequest = measureStores(registry, ['logs'])('logs');

  onRequest({ operation: 'get', outcome: 'ok', durationMs: 20 });
  onRequest({ operation: 'list', outcome: 'ok', durationMs: 60_000 });

  expect(await linesOf(registry, 'nereid_storage_request_seconds_count')).toEqual([
    'nereid_storage_request_seconds_count{operation="get"} 1',
  ]);
});

test('whether Temporal answers is asked when somebody reads the metrics', async () => {
  const registry = new Registry();
  let isThere = true;
  measureTemporal(registry, () => Promise.resolve(isThere));

  const before = await linesOf(registry, 'nereid_temporal_reachable');
  isThere = false;
  const after = await linesOf(registry, 'nereid_temporal_reachable');

  expect([before, after]).toEqual([['nereid_temporal_reachable 1'], ['nereid_temporal_reachable 0']]);
});

test('a server file that could not be reloaded is told until one can', async () => {
  const registry = new Registry();
  const answers = [undefined, { file: '/etc/nereid.server.yaml', since: '2026-11-30T01:00:00.000Z', problems: [] }];
  measureServerFile(registry, { outdated: () => answers.shift() });

  const before = await linesOf(registry, 'nereid_server_file_outdated');
  const after = await linesOf(registry, 'nereid_server_file_outdated');

  expect([before, after]).toEqual([['nereid_server_file_outdated 0'], ['nereid_server_file_outdated 1']]);
});
