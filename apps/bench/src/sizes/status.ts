/** The memory of a stack's processes, one of each kind, as Linux counts it. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { KINDS, ofKinds, type Kind } from './kinds.ts';

export type Ids = Readonly<Record<Kind, number>>;

/** MiB. */
export interface Status {
  readonly all: number;
  /** Programs and libraries, which processes of one machine share. */
  readonly files: number;
}

/** Often enough for peaks of a few hundred milliseconds. */
const LOOK_MS = 200;

const KIB_OF_A_MIB = 1_024;

/** The most that each takes during the work. */
export async function watchMost(ids: Ids, work: () => Promise<unknown>): Promise<Readonly<Record<Kind, number>>> {
  const done = new AbortController();
  const most = watch(ids, done.signal);
  try {
    await work();
  } finally {
    done.abort();
  }
  return most;
}

async function watch(ids: Ids, signal: AbortSignal): Promise<Readonly<Record<Kind, number>>> {
  let most = ofKinds(() => 0);
  while (!signal.aborted) {
    const now = await readAll(ids);
    const before = most;
    most = ofKinds((kind) => Math.max(before[kind], now[kind]));
    await pause(LOOK_MS);
  }
  return most;
}

export function readAll(ids: Ids): Promise<Readonly<Record<Kind, number>>> {
  return ofEach(ids, async (id) => (await readStatus(id)).all);
}

export async function readStatus(id: number): Promise<Status> {
  const status = await readFile(`/proc/${id}/status`, 'utf8');
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / KIB_OF_A_MIB;
  return { all: mib('VmRSS'), files: mib('RssFile') };
}

export async function ofEach<T>(ids: Ids, read: (id: number) => Promise<T>): Promise<Readonly<Record<Kind, T>>> {
  const values = new Map(await Promise.all(KINDS.map(async (kind) => [kind, await read(ids[kind])] as const)));
  return ofKinds((kind) => {
    const value = values.get(kind);
    if (value === undefined) throw new Error(`expected a value of ${kind}, found none`);
    return value;
  });
}
