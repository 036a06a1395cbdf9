import type { Ending } from '../background/ending.ts';
import type { BackgroundProcess } from '../background/background-process.ts';
import type { Environment } from '../toolchain/environment.ts';
import type { Report } from '../toolchain/report.ts';

export interface EmulatorOptions {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the start early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Where the server writes its log. */
  readonly logFile: string;
  /** Default: a free port. */
  readonly port?: number;
}

/** A cloud's service on 127.0.0.1, in memory. */
export interface Emulator {
  readonly endpoint: string;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
  /** SIGKILL at once. */
  kill(): Promise<void>;
}

export function emulatorAt(endpoint: string, server: BackgroundProcess): Emulator {
  return { endpoint, ended: server.ended, stop: () => server.stop(), kill: () => server.kill() };
}
