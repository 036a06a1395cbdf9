/** The CPU time of a stack's processes, as Linux counts it: the sum over all threads, for each kind of process. */
import { readdir, readFile } from 'node:fs/promises';

export type Part = 'worker' | 'gateway' | 'console' | 'temporal' | 'launcher';

/** CPU milliseconds since each process began. */
export type Cpu = Readonly<Record<Part, number>>;

const NOTHING: Cpu = { worker: 0, gateway: 0, console: 0, temporal: 0, launcher: 0 };

/** The part of its command line that tells the kind of a process. */
const SIGNS: readonly (readonly [Part, string])[] = [
  ['worker', 'apps/worker/src/main.ts'],
  ['gateway', 'apps/gateway/src/main.ts'],
  ['console', 'apps/console/src/main.ts'],
  ['temporal', 'start-dev'],
  ['launcher', 'packages/subprocess'],
];

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** Counts the processes that this one began, and those that they began in turn. */
export async function readCpu(): Promise<Cpu> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = new Map((await Promise.all(ids.map(readOne))).flat());
  const isOurs = (id: number): boolean => {
    const one = processes.get(id);
    return one !== undefined && (one.parent === process.pid || isOurs(one.parent));
  };
  const total = { ...NOTHING };
  for (const [id, { part, ms }] of processes) if (part !== undefined && isOurs(id)) total[part] += ms;
  return total;
}

export function spent(before: Cpu, after: Cpu): Cpu {
  const parts = SIGNS.map(([part]) => [part, after[part] - before[part]]);
  return Object.fromEntries(parts) as Record<Part, number>; // All of them.
}

interface Process {
  readonly parent: number;
  readonly part: Part | undefined;
  readonly ms: number;
}

/** Empty when the process has ended meanwhile. */
async function readOne(id: string): Promise<readonly (readonly [number, Process])[]> {
  try {
    const [command, stat] = await Promise.all([
      readFile(`/proc/${id}/cmdline`, 'utf8'),
      readFile(`/proc/${id}/stat`, 'utf8'),
    ]);
    // The name in parentheses may hold anything; what follows it is `state ppid …`, utime and stime at 11 and 12.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const part = SIGNS.find(([, sign]) => command.includes(sign))?.[0];
    const ms = TICK_MS * (Number(fields[11]) + Number(fields[12]));
    return [[Number(id), { parent: Number(fields[1]), part, ms }]];
  } catch {
    return [];
  }
}
