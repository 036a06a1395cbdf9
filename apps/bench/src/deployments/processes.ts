/** The CPU time and memory of a stack's processes, as Linux counts them, for each kind of process. */
import { readdir, readFile } from 'node:fs/promises';

export type Part = 'worker' | 'gateway' | 'console' | 'temporal' | 'launcher';

/** A sum over all processes and threads of a kind. */
export type OfEach = Readonly<Record<Part, number>>;

export interface Usage {
  /** Milliseconds since each process began. */
  readonly cpuMs: OfEach;
  /** Milliseconds of the commands that ended: git, and Terraform in its sandbox. */
  readonly commandsMs: number;
  /** MiB in memory now, with the pages that processes share. */
  readonly memory: OfEach;
}

const NOTHING: OfEach = { worker: 0, gateway: 0, console: 0, temporal: 0, launcher: 0 };

/** The part of its command line that tells the kind of a process. */
const SIGNS: readonly (readonly [Part, string])[] = [
  ['worker', 'apps/worker/src/main.ts'],
  ['gateway', 'apps/gateway/src/main.ts'],
  ['console', 'apps/console/src/main.ts'],
  ['temporal', 'start-dev'],
  ['launcher', 'packages/subprocess'],
];

/** Linux counts in hundredths of a second, and in pages of 4 KiB. */
const TICK_MS = 10;
const PAGES_OF_A_MIB = 256;

/** Counts the processes that this one began, and those that they began in turn. */
export async function readUsage(): Promise<Usage> {
  const [cpuMs, memory] = [{ ...NOTHING }, { ...NOTHING }];
  let commandsMs = 0;
  for (const one of await readOwn()) {
    cpuMs[one.part] += one.cpuMs;
    memory[one.part] += one.memory;
    if (one.part === 'launcher') commandsMs += one.childrenMs;
  }
  return { cpuMs, commandsMs, memory };
}

export interface OwnProcess {
  readonly id: number;
  readonly parent: number;
  readonly part: Part;
  readonly cpuMs: number;
  /** Of the processes that it began and that ended, with those that they began in turn. */
  readonly childrenMs: number;
  /** MiB. */
  readonly memory: number;
}

/** The processes of a kind that this one began, and those that they began in turn. */
export async function readOwn(): Promise<readonly OwnProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = new Map((await Promise.all(ids.map(readOne))).flat());
  const isOurs = (id: number): boolean => {
    const one = processes.get(id);
    return one !== undefined && (one.parent === process.pid || isOurs(one.parent));
  };
  return Array.from(processes).flatMap(([id, { part, ...counted }]) =>
    part === undefined || !isOurs(id) ? [] : [{ ...counted, id, part }],
  );
}

export function spent({ cpuMs: before }: Usage, { cpuMs: after }: Usage): OfEach {
  return ofEach((part) => after[part] - before[part]);
}

export function ofEach(valueOf: (part: Part) => number): OfEach {
  return Object.fromEntries(SIGNS.map(([part]) => [part, valueOf(part)])) as Record<Part, number>; // All of them.
}

interface Process {
  readonly parent: number;
  readonly part: Part | undefined;
  readonly cpuMs: number;
  readonly childrenMs: number;
  readonly memory: number;
}

/** Empty when the process has ended meanwhile. */
async function readOne(id: string): Promise<readonly (readonly [number, Process])[]> {
  try {
    const [command, stat] = await Promise.all([
      readFile(`/proc/${id}/cmdline`, 'utf8'),
      readFile(`/proc/${id}/stat`, 'utf8'),
    ]);
    // The name in parentheses may hold anything; what follows it is `state ppid …`, utime and stime at 11 and 12,
    // those of ended children at 13 and 14, rss at 21.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, utime = 0, stime = 0, ofUsers = 0, ofSystem = 0, pages = 0] = [1, 11, 12, 13, 14, 21].map(
      (at) => fields[at],
    );
    const childrenMs = TICK_MS * (ofUsers + ofSystem);
    // The guard of a server, which only tests have, names the program as well.
    const part = command.startsWith('/bin/sh') ? undefined : SIGNS.find(([, sign]) => command.includes(sign))?.[0];
    return [
      [Number(id), { parent, part, cpuMs: TICK_MS * (utime + stime), childrenMs, memory: pages / PAGES_OF_A_MIB }],
    ];
  } catch {
    return [];
  }
}
