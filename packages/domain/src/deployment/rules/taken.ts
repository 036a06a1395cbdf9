import type { CheckRunRef } from '../check-run.ts';
import type { Shown, Taken } from '../presentation.ts';

/** Whether there is nothing to try again, not even an older check run that still has its buttons. */
export function isTaken(shown: Shown | undefined): shown is Taken {
  if (shown?.kind !== 'shown') return shown?.kind === 'refused';
  return areSuperseded(shown.checkRuns);
}

/** Whether only the newest check run has its buttons. */
export function areSuperseded(checkRuns: readonly CheckRunRef[]): boolean {
  return checkRuns.slice(0, -1).every(({ superseded = false }) => superseded);
}
