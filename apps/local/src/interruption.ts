import type { Report } from '@nereid/test-kit';

export interface Interruption {
  /** For work that can end early, a start above all. */
  readonly signal: AbortSignal;
  /** For a race with other promises. */
  readonly happened: Promise<'interrupted'>;
}

/** The exit code of a shell for a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/**
 * Happens with the first Ctrl-C or SIGTERM, so that everything can be stopped in order. A second one ends the process at
 * once, and the processes that it started end with it.
 */
export function interruption(report: Report): Interruption {
  const controller = new AbortController();
  const happened = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        report('Stopping …');
        controller.abort();
        resolve('interrupted');
      });
    }
  });
  return { signal: controller.signal, happened };
}

/** Returns the result of the work, or `interrupted` when the work ended early by throwing the reason of the signal. */
export async function unlessInterrupted<T>(
  { signal }: Pick<Interruption, 'signal'>,
  work: () => Promise<T>,
): Promise<T | 'interrupted'> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && error === signal.reason) return 'interrupted';
    throw error;
  }
}
