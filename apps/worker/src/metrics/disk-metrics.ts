import type { DiskUse } from '@nereid/git';
import { Gauge, type Registry } from 'prom-client';

/** Returns a function that records the result of each disk check. */
export function measureDisk(registry: Registry, budgetBytes: number): (use: DiskUse) => void {
  const registers = [registry];
  const kept = new Gauge({
    name: 'nereid_disk_kept_bytes',
    help: 'Disk space of the mirrors, idle trees and providers that this worker keeps, by kind.',
    labelNames: ['kind'],
    registers,
  });
  new Gauge({ name: 'nereid_disk_budget_bytes', help: 'Limit on disk use: DISK_BUDGET.', registers }).set(budgetBytes);
  return ({ mirrorBytes, idleTreeBytes, besideBytes }) => {
    kept.set({ kind: 'mirrors' }, mirrorBytes);
    kept.set({ kind: 'idle trees' }, idleTreeBytes);
    kept.set({ kind: 'providers' }, besideBytes);
  };
}
