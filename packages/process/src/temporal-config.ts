import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ConnectionOptions } from '@temporalio/client';
import type { EnvironmentRecord, LocatedProblem } from '@nereid/config';

export interface TemporalConfig {
  readonly namespace: string;
  /** The server's address and credentials, for clients and workers. */
  readonly server: TemporalServer;
  /** The same, for a client that reconnects soon after the server is back. */
  readonly connection: ConnectionOptions;
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

/** Reads `TEMPORAL_*` as Temporal's own tools do. */
export function readTemporalConfig(record: EnvironmentRecord): TemporalConfigRead {
  try {
    const overrideEnvVars = Object.fromEntries(
      Object.entries(record).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars });
    const { address = '127.0.0.1:7233', apiKey, tls, metadata } = connectionOptions;
    const server: TemporalServer = {
      address,
      ...(apiKey !== undefined && { apiKey }),
      ...(tls !== undefined && { tls }),
      ...(metadata && { metadata }),
    };
    return { kind: 'ok', config: { namespace, server, connection: { ...server, channelArgs: RECONNECT } } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `expected settings that Temporal's client can use, found: ${why}; correct them or leave them away`;
    return { kind: 'invalid', problems: [{ path: 'TEMPORAL_*', message }] };
  }
}
