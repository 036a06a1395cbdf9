/** PostgreSQL in a folder of its own, with one user, who needs a password. */
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../background/free-port.ts';
import { startUntilReady } from '../../background/server.ts';
import { exists } from '../../toolchain/install-once.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import type { PostgresPrograms } from './find-postgres.ts';
import { killWithSessions, takesSessions } from './postgres-process.ts';

export interface PostgresOptions {
  readonly programs: PostgresPrograms;
  /** Where it keeps everything, its log as well; a second start with the same folder continues. */
  readonly folder: string;
  /** Default: a free port. */
  readonly port?: number;
}

export interface Postgres {
  readonly port: number;
  readonly user: string;
  readonly passwordFile: string;
  /** Waits for its sessions, and ends those of clients that stay. */
  stop(): Promise<void>;
  /** SIGKILL at once, to its sessions too, as when its machine dies. */
  kill(): Promise<void>;
}

/** That of docker-compose.yml. */
const USER = 'temporal';
/** Of a database that only this machine reaches, and that is removed with its folder. */
const PASSWORD = 'only-for-tests';
/** `nobody` on every Linux. */
const NOBODY = 65_534;

/** It takes two seconds; two loaded cores and a cold disk may take a minute. */
const READY_TIMEOUT_MS = 120_000;
/** It waits for its clients first. */
const STOP_GRACE_MS = 10_000;

/** Starts it on 127.0.0.1, as nobody if we are root, and waits until it takes sessions. Throws `ServerStartError` with the end of its log. */
export async function startPostgres({ programs, folder, port: wantedPort }: PostgresOptions): Promise<Postgres> {
  const port = wantedPort ?? (await freePort());
  const passwordFile = path.join(folder, 'password');
  const dataFolder = path.join(folder, 'data');
  const env = environmentOf(programs);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, PASSWORD, { mode: 0o600 });
  if (!(await exists(dataFolder))) await initialise({ programs, dataFolder, passwordFile, env });
  const server = await startUntilReady({
    name: 'PostgreSQL',
    process: {
      argv: [...asNobody(programs.postgres), '-D', dataFolder, '-p', String(port), ...SETTINGS],
      env,
      cwd: folder,
      logFile: path.join(folder, 'postgres.log'),
      graceMs: STOP_GRACE_MS,
    },
    isReady: () => takesSessions(port, USER),
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  return {
    ...{ port, user: USER, passwordFile },
    stop: () => server.stop(),
    kill: () => killWithSessions(dataFolder, () => server.kill()),
  };
}

/** The user may not write where Debian's own settings put the socket; everybody uses the port. Several servers need more sessions than 100. */
const SETTINGS = ['-h', '127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'] as const;

function environmentOf({ libraries }: PostgresPrograms): Readonly<Record<string, string>> {
  const none = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  return libraries === undefined ? none : { ...none, LD_LIBRARY_PATH: libraries };
}

interface Initialisation {
  readonly programs: PostgresPrograms;
  readonly dataFolder: string;
  readonly passwordFile: string;
  readonly env: Readonly<Record<string, string>>;
}

async function initialise({ programs, dataFolder, passwordFile, env }: Initialisation): Promise<void> {
  await mkdir(dataFolder, { mode: 0o700 });
  if (isRoot()) await chown(dataFolder, NOBODY, NOBODY);
  const options = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
  const argv = [...asNobody(programs.initdb), '-D', dataFolder, ...options] as const;
  await runTool({ argv, env, timeoutMs: READY_TIMEOUT_MS });
}

const isRoot = () => process.getuid?.() === 0;

/**
 * PostgreSQL refuses to run as root. It keeps root's way past the modes of folders, because our own folders and the cache are closed to
 * others.
 */
function asNobody(program: string): readonly [string, ...string[]] {
  if (!isRoot()) return [program];
  const id = String(NOBODY);
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', ...capabilities, '--', program];
}
