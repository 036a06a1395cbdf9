import { defined } from '@nereid/domain/defined';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ConnectionOptions } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { env, readEnv, type EnvironmentRecord, type LocatedProblem, type SealingKeys } from '@nereid/config';
import { dataConverterOf } from './data-converter.ts';
import { tlsProblems } from './tls-files.ts';

export interface TemporalConfig {
  readonly namespace: string;
  /** The server's address and credentials, for clients and workers. */
  readonly server: TemporalServer;
  /** The same, for a client that reconnects soon after the server is back. */
  readonly connection: ConnectionOptions;
  /** The keys of payloads; with none, nothing is sealed and nothing that is sealed can be read. */
  readonly payloadKeys: SealingKeys;
  /** Of every client and every worker. */
  readonly dataConverter: DataConverter;
}

type TemporalServer = Pick<
  ReturnType<typeof loadClientConnectConfig>['connectionOptions'],
  'address' | 'apiKey' | 'tls' | 'metadata'
>;

export type TemporalConfigRead =
  | { readonly kind: 'ok'; readonly config: TemporalConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

/**
 * By default, gRPC waits up to two minutes between attempts to connect. GitHub gives up after ten seconds, and people wait for
 * pages and signals.
 */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.min_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** AES-256. */
const KEY_BYTES = 32;

const VARIABLES = {
  payloadKeys: env.sealingKeys('PAYLOAD_KEY', KEY_BYTES),
  /** Read here because Temporal's own reader knows no file of it. */
  apiKey: env.secret('TEMPORAL_API_KEY'),
};

const NO_KEYS: SealingKeys = { seals: undefined, opens: [] };

/** Reads `TEMPORAL_*` as Temporal's own tools do, and the keys of payloads. */
export function readTemporalConfig(record: EnvironmentRecord): TemporalConfigRead {
  const own = readEnv(record, VARIABLES);
  const apiKey = own.kind === 'ok' ? own.values.apiKey?.reveal() : undefined;
  const connect = readConnectConfig({ ...record, ...defined({ TEMPORAL_API_KEY: apiKey }) });
  if (own.kind === 'ok' && connect.kind === 'ok') {
    const { payloadKeys = NO_KEYS } = own.values;
    return { kind: 'ok', config: { ...connect.config, payloadKeys, dataConverter: dataConverterOf(payloadKeys) } };
  }
  const problems = [own, connect].flatMap((read) => (read.kind === 'invalid' ? read.problems : []));
  return { kind: 'invalid', problems };
}

type ConnectConfigRead =
  | { readonly kind: 'ok'; readonly config: Pick<TemporalConfig, 'namespace' | 'server' | 'connection'> }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

function readConnectConfig(record: EnvironmentRecord): ConnectConfigRead {
  try {
    const overrideEnvVars = Object.fromEntries(
      Object.entries(record).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars });
    const { address = '127.0.0.1:7233', apiKey, tls, metadata } = connectionOptions;
    const problems = tlsProblems(tls);
    if (problems.length > 0) return { kind: 'invalid', problems };
    const server: TemporalServer = {
      address,
      ...defined({ apiKey, tls }),
      ...(metadata && { metadata }),
    };
    return { kind: 'ok', config: { namespace, server, connection: { ...server, channelArgs: RECONNECT } } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `expected settings that Temporal's client can use, found: ${why}; correct them or leave them out`;
    return { kind: 'invalid', problems: [{ path: 'TEMPORAL_*', message }] };
  }
}
