/** A Temporal server as in docker-compose.yml, but for the certificates: the same version, shards and dynamic config, on PostgreSQL. */
import { Connection } from '@temporalio/client';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../background/free-port.ts';
import { startUntilReady } from '../../background/server.ts';
import { REPOSITORY } from '../../repository.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import type { TemporalServer } from '../start-temporal-server.ts';
import type { TemporalServerPrograms } from './find-temporal-server.ts';
import type { Postgres } from './start-postgres.ts';

export interface TemporalOnPostgresOptions {
  readonly programs: TemporalServerPrograms;
  readonly postgres: Postgres;
  readonly port: number;
  /** Of its parts. The same in each start: the others look for a part that was killed where it was. */
  readonly parts: PartPorts;
  /** Where the server writes its log. */
  readonly logFile: string;
  /** Ends the start early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** 512 shards and a cold database take ten seconds; two loaded cores may take minutes. */
const READY_TIMEOUT_MS = 300_000;
const SET_UP_TIMEOUT_MS = 300_000;
const ASK_TIMEOUT_MS = 1_000;

/** Creates or upgrades its two databases by temporal/set-up-schema.sh. Throws `InstallError` with the end of its output. */
export async function setUpSchema({ sqlTool }: TemporalServerPrograms, postgres: Postgres): Promise<void> {
  await runTool({
    argv: ['/bin/sh', path.join(REPOSITORY, 'temporal/set-up-schema.sh')],
    env: {
      PATH: ['/usr/bin', '/bin', path.dirname(sqlTool)].join(path.delimiter),
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: '127.0.0.1',
      SQL_PORT: String(postgres.port),
      SQL_USER: postgres.user,
      SQL_PASSWORD_FILE: postgres.passwordFile,
    },
    timeoutMs: SET_UP_TIMEOUT_MS,
  });
}

/**
 * Starts a server on 127.0.0.1, and makes the namespace `default` by `nereid temporal setup`. It has no web UI. Throws
 * `ServerStartError` with the end of its log, or `InstallError` with what the command said.
 */
export async function startTemporalOnPostgres(options: TemporalOnPostgresOptions): Promise<TemporalServer> {
  const { programs, port, logFile, signal } = options;
  const address = `127.0.0.1:${port}`;
  const server = await startUntilReady({
    name: 'Temporal server',
    process: {
      argv: [programs.server, '--allow-no-auth', 'start'],
      env: await environmentOf(options),
      cwd: path.dirname(logFile),
      logFile,
    },
    isReady: () => isServing(address),
    readyTimeoutMs: READY_TIMEOUT_MS,
    signal,
  });
  try {
    await setUpNamespace(address, signal);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { address, ended: server.ended, stop: () => server.stop(), kill: () => server.kill() };
}

async function environmentOf({
  postgres,
  port,
  parts,
}: TemporalOnPostgresOptions): Promise<Readonly<Record<string, string>>> {
  return {
    DB: 'postgres12',
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: String(postgres.port),
    POSTGRES_USER: postgres.user,
    POSTGRES_PWD: await readFile(postgres.passwordFile, 'utf8'),
    NUM_HISTORY_SHARDS: '512',
    BIND_ON_IP: '127.0.0.1',
    TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: path.join(REPOSITORY, 'temporal/dynamic-config.yaml'),
    LOG_LEVEL: 'warn',
    FRONTEND_GRPC_PORT: String(port),
    ...parts,
  };
}

/** By variable. */
export type PartPorts = Readonly<Record<string, string>>;

const PORTS = [
  ...['FRONTEND_HTTP_PORT', 'FRONTEND_MEMBERSHIP_PORT', 'MATCHING_GRPC_PORT', 'MATCHING_MEMBERSHIP_PORT'],
  ...['HISTORY_GRPC_PORT', 'HISTORY_MEMBERSHIP_PORT', 'WORKER_GRPC_PORT', 'WORKER_MEMBERSHIP_PORT'],
] as const;

export async function choosePartPorts(): Promise<PartPorts> {
  return Object.fromEntries(await Promise.all(PORTS.map(async (name) => [name, String(await freePort())] as const)));
}

/** `SERVING` of grpc.health.v1. */
const SERVING = 1;

async function isServing(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address });
  try {
    const { status } = await connection.withDeadline(Date.now() + ASK_TIMEOUT_MS, () =>
      connection.healthService.check({ service: 'temporal.api.workflowservice.v1.WorkflowService' }),
    );
    const answer: number = status;
    return answer === SERVING;
  } finally {
    await connection.close();
  }
}

async function setUpNamespace(address: string, signal: AbortSignal | undefined): Promise<void> {
  await runTool({
    argv: [process.execPath, path.join(REPOSITORY, 'temporal/main.ts')],
    env: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' },
    timeoutMs: SET_UP_TIMEOUT_MS,
    signal,
  });
}
