import type { DiskUse } from '@nereid/git';
import { Gauge, type Registry } from 'prom-client';
import type { WorkerConfig } from '../config.ts';
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
  const labelNames = ['folder'];
  const registers = [registry];
  const setEach = async (gauge: Gauge, of: keyof Room) => {
    for (const [folder, path] of Object.entries(folders)) {
      const room = await roomAt(path);
      if (room !== undefined) gauge.set({ folder }, room[of]);
    }
  };
  new Gauge({
    name: 'nereid_disk_free_bytes',
    help: 'Free space of the disk of a folder: data for DATA_DIR, work for WORK_DIR.',
    labelNames,
    registers,
    collect(): Promise<void> {
      return setEach(this, 'freeBytes');
    },
  });
  new Gauge({
    name: 'nereid_disk_total_bytes',
    help: 'Size of the disk of a folder: data for DATA_DIR, work for WORK_DIR.',
    labelNames,
    registers,
    collect(): Promise<void> {
      return setEach(this, 'totalBytes');
    },
  });
}
