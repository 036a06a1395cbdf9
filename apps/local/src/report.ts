import type { Report } from '@nereid/test-kit';

/** Prints each line with the seconds since the start, which shows the slow parts. */
export function createReport(print: (line: string) => void): Report {
  const startedAt = performance.now();
  return (line) => {
    print(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  };
}
