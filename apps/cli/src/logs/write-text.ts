import type { Output } from '../world.ts';

/** Waits while the output is full, so that a long log does not gather in memory. */
export async function writeText(output: Output, text: string, signal: AbortSignal): Promise<void> {
  if (output.write(text) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    output.once('drain', goOn);
    signal.addEventListener('abort', goOn);
  });
}
