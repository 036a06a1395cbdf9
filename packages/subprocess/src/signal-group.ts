import { hasErrorCode } from './error-code.ts';

/** Signals the process group that `pid` leads; a group that is gone needs no signal. */
export function signalGroupOf(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // macOS returns EPERM for a group that has only zombies.
    if (!hasErrorCode(error, 'ESRCH') && !hasErrorCode(error, 'EPERM')) throw error;
  }
}
