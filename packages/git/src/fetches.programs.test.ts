import { afterEach, expect, test } from '@jest/globals';
import type { MirrorFetch } from './command/git-commands.ts';
import { startTestHost, type TestHost } from './testing/index.ts';

let host: TestHost;

afterEach(async () => {
  await host.close();
});

test('each fetch is told with its time and its outcome; what is there already is no fetch', async () => {
  host = await startTestHost();
  const fetches: MirrorFetch[] = [];
  const mirrors = host.openMirrors({ onFetch: (fetched) => fetches.push(fetched) });
  const sha = await host.upstream.commit({ files: { 'main.tf': '' } });

  await mirrors.fetch(host.repository, [sha]);
  await mirrors.fetch(host.repository, [sha]);
  await expect(mirrors.fetch(host.repository, ['1'.repeat(40)])).rejects.toThrow();
  await expect(mirrors.fetch({ ...host.repository, name: 'absent' }, [sha])).rejects.toThrow();

  expect(fetches.map(({ outcome }) => outcome)).toEqual(['ok', 'gone', 'failed']);
  expect(fetches.every(({ durationMs }) => durationMs > 0)).toBe(true);
});
