import type { Report } from '@nereid/test-kit';

/** Lines with the seconds since the start, so that one sees what takes long. */
export function createReport(print: (line: string) => void): Report {
  const startedAt = performance.now();
  return (line) => {
    print(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  };
}
