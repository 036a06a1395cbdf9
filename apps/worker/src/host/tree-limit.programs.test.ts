import { expect, test } from '@jest/globals';
import { hostsOfEachTest } from './testing/test-hosts.ts';

const hosts = hostsOfEachTest();

const MAIN = 'terraform {\n  backend "local" {}\n}\n';

test('a revision that takes more of the disk than the server’s file allows is refused, and nobody tries again', async () => {
  const zeros = 'A'.repeat(1024 * 1024);
  const names = Array.from({ length: 60 }, (_, index) => `zeros/${index}`);
  const job = await hosts.deploy({ 'main.tf': MAIN, ...Object.fromEntries(names.map((name) => [name, zeros])) });
  const host = hosts.openHost({ treeBytes: 50e6 });

  const refused = host.plan(job);

  await expect(refused).rejects.toMatchObject({ type: 'REVISION_TOO_LARGE', details: [{ isFinal: true }] });
  await expect(refused).rejects.toThrow(
    /^expected a working tree of at most 50000000 bytes \(terraform\.tree_gb\), found \d{8} bytes in 61 files/,
  );
  expect(await hosts.idleTrees('h1')).toEqual([]);
  expect((await hosts.openHost({ treeBytes: 100e6 }).plan(job)).kind).toBe('planned');
});
