/** The memory of the processes that this one began, by program. Pages that several processes share are shared out among them. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

export type Program = 'gateway' | 'worker' | 'temporal-server' | 'postgres';

/** MiB. */
export type MemoryOf = Readonly<Record<Program, number>>;

export async function readMemory(): Promise<MemoryOf> {
  const memory: Record<Program, number> = { gateway: 0, worker: 0, 'temporal-server': 0, postgres: 0 };
  const found = await Promise.all((await descendantsOf(process.pid)).map(readOne));
  for (const { program, mib } of found) if (program !== undefined) memory[program] += mib;
  return memory;
}

/** Each with its own descendants. */
async function descendantsOf(id: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${id}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.join(' ').split(' ').map(Number).filter(Boolean);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

interface Found {
  readonly program: Program | undefined;
  readonly mib: number;
}

const KIB = 1_024;

async function readOne(id: number): Promise<Found> {
  try {
    const [executable, command, memory] = await Promise.all([
      readlink(`/proc/${id}/exe`),
      readFile(`/proc/${id}/cmdline`, 'utf8'),
      readFile(`/proc/${id}/smaps_rollup`, 'utf8'),
    ]);
    const kib = Number(/^Pss: +(\d+) kB$/m.exec(memory)?.[1] ?? 0);
    return { program: programOf(basename(executable), command), mib: kib / KIB };
  } catch {
    // It has ended meanwhile.
    return { program: undefined, mib: 0 };
  }
}

/** Node runs several of them. */
function programOf(executable: string, command: string): Program | undefined {
  if (executable === 'postgres' || executable === 'temporal-server') return executable;
  if (executable !== 'node') return undefined;
  return (['gateway', 'worker'] as const).find((name) => command.includes(`apps/${name}/src/main.ts`));
}
