/**
 * The identity of a process. Pids are reused, but never a pid together with the start of its process and the boot of its
 * machine.
 */
import { readFile } from 'node:fs/promises';
import { parseProcessStat } from './process-stat.ts';
import { runCommand } from '../run-command.ts';

/** A process that the supervisor recorded: its pid, and its start as the system reports it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string;
}

/** Undefined while the record is incomplete, without its last line break. */
export function parseIdentity(record: string): ProcessIdentity | undefined {
  const [pid, ...start] = record.split('\n').slice(0, -1);
  if (pid === undefined || start.length === 0) return undefined;
  const stat = start[1];
  return { pid: Number(pid), start: stat === undefined ? (start[0] ?? '').trim() : linuxStart(start[0] ?? '', stat) };
}

/** Whether exactly this process still runs. A zombie does not. */
export async function isAlive({ pid, start }: ProcessIdentity): Promise<boolean> {
  return (await startOf(pid)) === start;
}

async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startByPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return parseProcessStat(stat).isZombie ? undefined : linuxStart(await bootId(), stat);
  } catch {
    return undefined;
  }
}

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

function linuxStart(boot: string, stat: string): string {
  return `${boot} ${parseProcessStat(stat).start}`;
}

async function startByPs(pid: number): Promise<string | undefined> {
  const argv = ['/bin/ps', '-o', 'lstart=', '-p', String(pid)] as const;
  const { stdout } = await runCommand({ argv, env: {}, cwd: '/' });
  return stdout.trim() === '' ? undefined : stdout.trim();
}
