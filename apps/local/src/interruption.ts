import type { Report } from '@nereid/test-kit';

export interface Interruption {
  /** For what can end early, a start above all. */
  readonly signal: AbortSignal;
  /** For what is waited for beside it. */
  readonly happened: Promise<'interrupted'>;
}

/** What a shell answers for a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/**
 * Happens with the first Ctrl-C or SIGTERM, so that everything can be stopped in order. A second one ends the process at
 * once, and what it started ends with it.
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

/** What the work answers, or that it was interrupted: what ends early throws the reason of the signal. */
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
