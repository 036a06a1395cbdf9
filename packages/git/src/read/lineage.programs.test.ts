import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.close();
});

test('each commit that some others contain is listed with its parents', async () => {
  const start = await host.upstream.commit({ files: { 'a.tf': '1' } });
  const side = await host.upstream.commit({ files: { 'b.tf': '1' }, branch: 'side', parent: start });
  const direct = await host.upstream.commit({ files: { 'a.tf': '2' } });
  const merge = await host.upstream.commit({ files: { 'b.tf': '1' }, mergeOf: side });
  await host.mirrors.fetch(host.repository, [merge]);

  const lineage = await host.mirrors.lineage(host.repository, [merge, direct]);

  expect(lineage.get(merge)).toEqual([direct, side]);
  expect(lineage.get(direct)).toEqual([start]);
  expect(lineage.has(start)).toBe(true);
});

test('a commit that the host lacks is left out, and not fetched', async () => {
  const missing = await host.upstream.commit({ files: {} });

  expect(await host.mirrors.lineage(host.repository, [missing, '0'.repeat(40)])).toEqual(new Map());
});
