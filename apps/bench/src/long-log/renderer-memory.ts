/** The memory of the process that shows a page, as Linux counts it. */
import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';

/** MiB that are the renderer's own, and its share of those that all processes of the browser have together. */
export interface RendererMemory {
  readonly own: number;
  readonly withShare: number;
}

/** Of the largest renderer: the others are spares. `session` is one with the browser. */
export async function readRendererMemory(session: CDPSession): Promise<RendererMemory> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const all = await Promise.all(renderers.map(({ id }) => readOne(id)));
  return all.toSorted((one, other) => other.own - one.own)[0] ?? { own: 0, withShare: 0 };
}

async function readOne(id: number): Promise<RendererMemory> {
  const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8');
  const kibOf = (field: string) => Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(text)?.[1]);
  return { own: (kibOf('Private_Clean') + kibOf('Private_Dirty')) / 1_024, withShare: kibOf('Pss') / 1_024 };
}
