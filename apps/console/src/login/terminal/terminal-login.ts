import type { LoginLimits } from '../limits.ts';
import type { LoginProvider } from '../provider/provider.ts';
import type { DeviceCodes } from './device-codes.ts';
import type { TerminalSessions } from './terminal-sessions.ts';

/** The parts that a login from a terminal needs. */
export interface TerminalLogin {
  readonly provider: LoginProvider;
  readonly limits: LoginLimits;
  readonly terminalSessions: TerminalSessions;
  readonly deviceCodes: DeviceCodes;
}
