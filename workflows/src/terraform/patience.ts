/** Trying again what fails outside of Terraform: visibly, slower and slower, and not for ever. */
import { sleep } from '@temporalio/workflow';
import { LONGEST_PAUSE_MS } from './durations.ts';
import { note, type Run } from './run.ts';

export interface Patience {
  /** Shows why, and returns after a while; false when it is time to give up. */
  pause(why: string): Promise<boolean>;
}

export function createPatience(run: Run): Patience {
  // A queue for hosts is no failure: who waited in it for an hour has lost no patience.
  const spentMs = () => Date.now() - run.waitedMs;
  const deadline = spentMs() + run.durations.patienceMs;
  let { pauseMs } = run.durations;
  return {
    async pause(why) {
      if (spentMs() + pauseMs > deadline) return false;
      note(run, { ...run.progress, reason: why });
      await sleep(pauseMs, { summary: 'before it is tried again' });
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      return true;
    },
  };
}
