import { signalGroupOf } from '@nereid/subprocess';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { endingOf, exitCodeOf, type Ending } from './ending.ts';
import { GUARD } from './guard.ts';
import { groupIsGone } from './process-group.ts';

export interface BackgroundOptions {
  readonly argv: readonly [string, ...string[]];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where stdout and stderr go, appended. */
  readonly logFile: string;
  /** The time from SIGTERM to SIGKILL; default `STOP_GRACE_MS`. */
  readonly graceMs?: number;
}

/** A server beside this process, which ends with this process, however that happens. */
export interface BackgroundProcess {
  /** Undefined while it runs. */
  ending(): Ending | undefined;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<Ending>;
  /** Sends SIGTERM, then SIGKILL after the grace period; resolves when the server is gone, at once if it is gone already. */
  stop(): Promise<void>;
  /** Sends SIGKILL at once to the server and everything that it started in its group; resolves when the server is gone. */
  kill(): Promise<void>;
}

/** Servers that we start close a database or a socket on SIGTERM, which takes well under a second. */
export const STOP_GRACE_MS = 5_000;
/** How much longer than the grace the guard may take until the whole group is killed. */
const GUARD_MARGIN_MS = 2_000;

/** Starts a server under a guard (guard.ts), in its own process group: Ctrl-C reaches only this process, which decides. */
export async function startInBackground(options: BackgroundOptions): Promise<BackgroundProcess> {
  const { argv, env, cwd, logFile, graceMs = STOP_GRACE_MS } = options;
  await using log = await open(logFile, 'a', 0o600);
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', String(graceMs / 1_000), ...argv], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  });
  const killGroup = () => {
    // The guard leads a group of its own; without a pid it never ran.
    if (guard.pid !== undefined) signalGroupOf(guard.pid, 'SIGKILL');
  };
  const ended = new Promise<Ending>((resolve) => {
    guard.on('exit', (code, signal) => {
      // A guard that was killed has not ended its server.
      killGroup();
      void (guard.pid === undefined ? Promise.resolve() : groupIsGone(guard.pid)).then(() => {
        resolve(endingOf(exitCodeOf(code, signal)));
      });
    });
  });
  await once(guard, 'spawn');
  guard.unref();

  return {
    ending: () => {
      const isRunning = guard.exitCode === null && guard.signalCode === null;
      return isRunning ? undefined : endingOf(exitCodeOf(guard.exitCode, guard.signalCode));
    },
    ended,
    async stop() {
      guard.stdin?.destroy();
      const deadline = setTimeout(killGroup, graceMs + GUARD_MARGIN_MS);
      await ended;
      clearTimeout(deadline);
    },
    async kill() {
      killGroup();
      await ended;
    },
  };
}
