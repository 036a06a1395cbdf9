import { Connection } from '@temporalio/client';
import path from 'node:path';
import type { Ending } from '../background/ending.ts';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';
import { devServerArguments, type WebUi } from './dev-server-arguments.ts';
import { hasSearchAttributes } from './search-attributes.ts';

export interface TemporalServerOptions {
  /** The path of its program, as `findDevServer` returns it. */
  readonly program: string;
  /** Where the server writes its log. */
  readonly logFile: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Of the HTTP API, which answers nobody; default: a free port. */
  readonly httpPort?: number;
  /** The SQLite database; without it everything is in memory and gone at the end. */
  readonly databaseFile?: string;
  /** Default: there is none. It answers every `Host`. */
  readonly ui?: WebUi;
  /** How many events a history has when its workflow is told to continue as new; default: the server's own limit. */
  readonly continuedAfterEvents?: number;
  /** Default `READY_TIMEOUT_MS`. */
  readonly readyTimeoutMs?: number;
  /** Ends the start early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface TemporalServer {
  /** `host:port` of the gRPC front end. */
  readonly address: string;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
  /** SIGKILL at once. */
  kill(): Promise<void>;
}

/** A new database takes a second; two loaded cores and a cold disk may take a minute. */
const READY_TIMEOUT_MS = 120_000;

/** Go collects a heap when it has doubled, which is a tenth of the server's work. Here a heap may grow to five times its size. */
const GARBAGE_PERCENT = '400';

/** Starts a dev server on 127.0.0.1 and waits until it takes workflows. Throws `ServerStartError` with the end of its log. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { program, logFile, ui, readyTimeoutMs = READY_TIMEOUT_MS, signal } = options;
  const port = options.port ?? (await freePort());
  const address = `127.0.0.1:${port}`;
  const server = await startUntilReady({
    name: 'Temporal dev server',
    // The environment has nothing else, which keeps the CLI from reading the user's configuration.
    process: {
      argv: [program, ...devServerArguments({ ...options, port, ui })],
      env: { GOGC: GARBAGE_PERCENT },
      cwd: path.dirname(logFile),
      logFile,
    },
    isReady: () => takesWorkflows(address),
    readyTimeoutMs,
    signal,
  });
  return { address, ended: server.ended, stop: () => server.stop(), kill: () => server.kill() };
}

async function takesWorkflows(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address });
  try {
    return await hasSearchAttributes(connection, 'default');
  } finally {
    await connection.close();
  }
}
