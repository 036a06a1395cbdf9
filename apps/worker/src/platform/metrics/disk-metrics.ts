import type { DiskUse } from '@nereid/git';
import { Gauge, type Registry } from 'prom-client';
import type { WorkerConfig } from '../config/config.ts';
import { roomAt, type Room } from '../disk/room.ts';

type Disk = Pick<WorkerConfig, 'dataDir' | 'workDir' | 'diskBudgetBytes'>;

/** Returns a function that records the result of each disk check. The room on its disks is looked up when somebody asks for the metrics. */
export function measureDisk(registry: Registry, { dataDir, workDir, diskBudgetBytes }: Disk): (use: DiskUse) => void {
  const registers = [registry];
  measureRoom(registry, { data: dataDir, work: workDir });
  const kept = new Gauge({
    name: 'nereid_disk_kept_bytes',
    help: 'Disk space of the mirrors, idle trees and providers that this worker keeps, by kind.',
    labelNames: ['kind'],
    registers,
  });
  new Gauge({ name: 'nereid_disk_budget_bytes', help: 'Limit on disk use: DISK_BUDGET.', registers }).set(
    diskBudgetBytes,
  );
  return ({ mirrorBytes, idleTreeBytes, besideBytes }) => {
    kept.set({ kind: 'mirrors' }, mirrorBytes);
    kept.set({ kind: 'idle trees' }, idleTreeBytes);
    kept.set({ kind: 'providers' }, besideBytes);
  };
}

/** Of the disks that the folders are on, whatever fills them. */
function measureRoom(registry: Registry, folders: Readonly<Record<string, string>>): void {
  const measure = (name: string, what: string, of: keyof Room) =>
    new Gauge({
      name,
      help: `${what} of the disk of a folder: data for DATA_DIR, work for WORK_DIR.`,
      labelNames: ['folder'],
      registers: [registry],
      async collect(): Promise<void> {
        for (const [folder, path] of Object.entries(folders)) {
          const room = await roomAt(path);
          if (room !== undefined) this.set({ folder }, room[of]);
        }
      },
    });
  measure('nereid_disk_free_bytes', 'Free space', 'freeBytes');
  measure('nereid_disk_total_bytes', 'Size', 'totalBytes');
}
