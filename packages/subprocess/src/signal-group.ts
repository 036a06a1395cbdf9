import { hasErrorCode } from './error-code.ts';

/** Signals the process group that `pid` leads; 0 only asks. False when there is no such group. */
export function signalGroupOf(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // macOS returns EPERM for a group that has only zombies.
    if (!hasErrorCode(error, 'ESRCH') && !hasErrorCode(error, 'EPERM')) throw error;
    return false;
  }
}
