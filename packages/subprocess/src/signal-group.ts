import { hasErrorCode } from './error-code.ts';

/** Sends to the process group that `pid` leads; a group that is gone already needs no signal. */
export function signalGroupOf(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // EPERM is what macOS answers for a group of zombies only.
    if (!hasErrorCode(error, 'ESRCH') && !hasErrorCode(error, 'EPERM')) throw error;
  }
}
