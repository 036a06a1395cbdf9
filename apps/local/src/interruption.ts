import type { Report } from '@nereid/test-kit';

/**
 * Resolves with the first Ctrl-C or SIGTERM, so that everything can be stopped in order. A second one ends the process at
 * once, and what it started ends with it.
 */
export function interruption(report: Report): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        report('Stopping …');
        resolve('interrupted');
      });
    }
  });
}
