import { setTimeout as pause } from 'node:timers/promises';
import { expected } from './failure.ts';

/** Everything that is written beside a check run is there soon after it; only a hang takes minutes. */
const DEADLINE_MS = 120_000;

const POLL_MS = 50;

/** Asks until the answer is true; for conditions that the stand-in does not report. */
export async function eventually(what: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await ask())) {
    if (performance.now() > deadline) throw expected(`within ${DEADLINE_MS} ms ${what}`, 'nothing of the kind');
    await pause(POLL_MS);
  }
}
