import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureDisk } from './disk-metrics.ts';

test('what the last look at the disk found stands beside the budget', async () => {
  const registry = new Registry();
  const onUse = measureDisk(registry, 100);

  onUse({
    mirrorBytes: 70,
    idleTreeBytes: 20,
    besideBytes: 5,
    removedMirrors: [],
    removedTrees: 0,
    removedBeside: 0,
  });

  const metrics = await registry.metrics();
  expect(metrics.split('\n').filter((line) => line.startsWith('nereid_disk'))).toEqual([
    'nereid_disk_kept_bytes{kind="mirrors"} 70',
    'nereid_disk_kept_bytes{kind="idle trees"} 20',
    'nereid_disk_kept_bytes{kind="providers"} 5',
    'nereid_disk_budget_bytes 100',
  ]);
});
