import type { ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import type { EnvironmentRecord, LocatedProblem } from '@nereid/config';

export interface TemporalConfig {
  readonly namespace: string;
  /** Of the client, for signals. */
  readonly connection: ConnectionOptions;
  /** Of the workers, for tasks. */
  readonly native: NativeConnectionOptions;
}

export type TemporalConfigRead =
  | { readonly kind: 'ok'; readonly config: TemporalConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

/** gRPC waits up to two minutes between its attempts to connect; people wait for the signals that we send. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.min_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** `TEMPORAL_*`, as Temporal's own tools read them. */
export function readTemporalConfig(record: EnvironmentRecord): TemporalConfigRead {
  try {
    const overrideEnvVars = Object.fromEntries(
      Object.entries(record).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars });
    const { address = '127.0.0.1:7233', apiKey, tls, metadata } = connectionOptions;
    const native = {
      address,
      ...(apiKey !== undefined && { apiKey }),
      ...(tls !== undefined && { tls }),
      ...(metadata && { metadata }),
    };
    return { kind: 'ok', config: { namespace, native, connection: { ...native, channelArgs: RECONNECT } } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'invalid',
      problems: [
        {
          path: 'TEMPORAL_*',
          message: `expected settings that Temporal's client can use, found: ${why}; correct them or leave them away`,
        },
      ],
    };
  }
}
