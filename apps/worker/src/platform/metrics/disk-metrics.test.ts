import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureDisk } from './disk-metrics.ts';

test('what the last look at the disk found stands beside the budget', async () => {
  const registry = new Registry();
  const onUse = measureDisk(registry, { dataDir: tmpdir(), workDir: '/nowhere/at/all', diskBudgetBytes: 100 });

  onUse({
    mirrorBytes: 70,
    idleTreeBytes: 20,
    besideBytes: 5,
    removedMirrors: [],
    removedTrees: 0,
    removedBeside: 0,
  });

  expect(await linesOf(registry, /^nereid_disk_(kept|budget)/)).toEqual([
    'nereid_disk_kept_bytes{kind="mirrors"} 70',
    'nereid_disk_kept_bytes{kind="idle trees"} 20',
    'nereid_disk_kept_bytes{kind="providers"} 5',
    'nereid_disk_budget_bytes 100',
  ]);
});

test('the room on the disk of each folder that is there is looked up again', async () => {
  const registry = new Registry();
  measureDisk(registry, { dataDir: tmpdir(), workDir: '/nowhere/at/all', diskBudgetBytes: 100 });

  const told = await linesOf(registry, /^nereid_disk_(free|total)/);

  const { blocks, bsize } = await statfs(tmpdir());
  expect(told).toEqual([
    expect.stringMatching(/^nereid_disk_free_bytes\{folder="data"\} [1-9]\d*$/),
    `nereid_disk_total_bytes{folder="data"} ${blocks * bsize}`,
  ]);
});

async function linesOf(registry: Registry, names: RegExp): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => names.test(line));
}
