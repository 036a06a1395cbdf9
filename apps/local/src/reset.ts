import type { Report } from '@nereid/test-kit';
import type { Home } from './play.ts';
import { alreadyRuns, REFUSED, acquireDemoLock } from './demo-lock.ts';

/** Removes everything that the demo keeps between runs, unless a demo is running. Returns the exit code. */
export function reset({ folder, start }: Home, report: Report): number {
  const lock = acquireDemoLock(folder);
  if (lock.kind === 'held') {
    report(`${alreadyRuns(lock)}\nStop it first (Ctrl-C there).`);
    return REFUSED;
  }
  using taken = lock;
  taken.empty();
  report(`Removed what the demo kept: the next \`${start}\` starts afresh.`);
  return 0;
}
