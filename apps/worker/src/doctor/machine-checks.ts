/** What the machine of a worker has to have: room, sandboxes, a folder of its own. */
import { statfs } from 'node:fs/promises';
import { type Address, type EnvironmentRecord } from '@nereid/config';
import { fail, failuresOf, ok, warn, type Check, type Finding } from '@nereid/doctor';
import type { WorkerConfig } from '../platform/config/config.ts';
import { inspectDataDir } from '../platform/disk/data-dir.ts';
import { existingPart, whyNotWritable } from '../platform/disk/writable.ts';
import { environmentForOthers } from '../platform/environment.ts';
import { NO_SANDBOX, sandboxProblems } from '../host/sandbox-probe.ts';

export function machineChecks(config: WorkerConfig, record: EnvironmentRecord): readonly Check[] {
  const environment = environmentForOthers(record);
  const isHost = config.roles.includes('terraform');
  return [
    { name: 'data folder', run: () => checkDataDir(config) },
    { name: 'disk', run: () => checkDisk(config) },
    ...(isHost
      ? [
          { name: 'work folder', run: () => checkWorkDir(config) },
          { name: 'sandbox', run: () => checkSandbox(config, environment) },
        ]
      : []),
  ];
}

/** The lock of a worker that answers at our own address is that of the worker whose configuration this is. */
async function checkDataDir({ dataDir, address }: WorkerConfig): Promise<Finding | readonly Finding[]> {
  const look = await inspectDataDir(dataDir);
  if (look.kind === 'unusable') return failuresOf([look.problem]);
  if (look.kind === 'free') return ok(`${dataDir} can be written, and no worker uses it`);
  if (await isAlive(address)) return ok(`${dataDir} can be written, and the worker that runs here uses it`);
  return failuresOf([look.problem]);
}

const ALIVE_MS = 2_000;

async function isAlive({ host, port }: Address): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(ALIVE_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function checkWorkDir({ workDir }: WorkerConfig): Promise<Finding | readonly Finding[]> {
  const problem = await whyNotWritable('WORK_DIR', workDir);
  return problem ? failuresOf([problem]) : ok(`${workDir} can be written`);
}

/** A provider of a large cloud takes 0.7 GB unpacked: with less than twice that, an init may fill the disk. */
const ROOM_BYTES = 1.5e9;

async function checkDisk({ dataDir, workDir, diskBudgetBytes }: WorkerConfig): Promise<readonly Finding[]> {
  const folders = [...new Set([await existingPart(dataDir), await existingPart(workDir)])];
  return Promise.all(folders.map((folder) => checkRoom(folder, diskBudgetBytes)));
}

async function checkRoom(folder: string, budgetBytes: number): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const [freeBytes, totalBytes] = [bavail * bsize, blocks * bsize];
  const found = `${gigabytes(freeBytes)} free of ${gigabytes(totalBytes)} at ${folder}`;
  if (freeBytes < ROOM_BYTES)
    return fail(
      `expected ${gigabytes(ROOM_BYTES)} of room or more, found ${found}; make room, or give it another disk`,
    );
  if (budgetBytes > totalBytes)
    return warn(
      `expected a disk with more room than DISK_BUDGET (${gigabytes(budgetBytes)}), found ${found}; lower DISK_BUDGET, and leave room for the deployments that run`,
    );
  return ok(found);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

async function checkSandbox(
  config: WorkerConfig,
  environment: EnvironmentRecord,
): Promise<Finding | readonly Finding[]> {
  const { server } = config;
  if (server.current().terraform.sandbox === 'none')
    return warn(`found that ${NO_SANDBOX}; see apps/docs/concepts/sandbox.md`);
  const problems = await sandboxProblems({ server, environment, config });
  return problems.length > 0 ? failuresOf(problems) : ok('this machine can make sandboxes');
}
