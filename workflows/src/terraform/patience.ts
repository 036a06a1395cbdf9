/** Retries failures outside of Terraform: visibly, more and more slowly, and not for ever. */
import { sleep } from '@temporalio/workflow';
import { LONGEST_PAUSE_MS } from './durations.ts';
import { note, type Run } from './run.ts';

export interface Patience {
  /** Shows the reason and returns after a pause; returns false when it is time to give up. */
  pause(why: string): Promise<boolean>;
}

export function createPatience(run: Run): Patience {
  // A wait for a host is no failure: an hour of it uses up no patience.
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
