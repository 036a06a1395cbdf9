import type { DiskUse } from '@nereid/git';
import { Gauge, type Registry } from 'prom-client';

/** Takes what the last look at the disk found. */
export function measureDisk(registry: Registry, budgetBytes: number): (use: DiskUse) => void {
  const registers = [registry];
  const kept = new Gauge({
    name: 'nereid_disk_kept_bytes',
    help: 'What this worker keeps only to be fast, by kind.',
    labelNames: ['kind'],
    registers,
  });
  new Gauge({ name: 'nereid_disk_budget_bytes', help: 'What that may take: DISK_BUDGET.', registers }).set(budgetBytes);
  return ({ mirrorBytes, idleTreeBytes, besideBytes }) => {
    kept.set({ kind: 'mirrors' }, mirrorBytes);
    kept.set({ kind: 'idle trees' }, idleTreeBytes);
    kept.set({ kind: 'providers' }, besideBytes);
  };
}
