import { once } from 'node:events';
import type { Output } from '../world.ts';

/** Waits while the output is full, so that a long log does not gather in memory. */
export async function writeText(output: Output, text: string, signal: AbortSignal): Promise<void> {
  if (output.write(text)) return;
  const drained = new Promise<void>((resolve) => output.once('drain', resolve));
  await Promise.race([drained, aborted(signal)]);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
