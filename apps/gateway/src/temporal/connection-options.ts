import { loadClientConnectConfig } from '@temporalio/envconfig';
import { isRetryableError, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { ConnectionOptions, GrpcRetryOptions } from '@temporalio/client';
import type { EnvironmentRecord, LocatedProblem } from '@nereid/config';

export interface TemporalConfig {
  readonly namespace: string;
  readonly connection: ConnectionOptions;
}

export type TemporalConfigRead =
  | { readonly kind: 'ok'; readonly config: TemporalConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

/**
 * gRPC waits up to two minutes between its attempts to connect; GitHub gives up after ten seconds, so Temporal has to be
 * found again soon after it is back.
 */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.min_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/**
 * A call is tried again until its deadline, which alone ends it. The pauses are short because a deadline that falls into
 * one is noticed only at its end; the jitter keeps several gateways from asking in step.
 */
const RETRY: GrpcRetryOptions = {
  delayFunction: () => 100 + Math.random() * 100,
  retryableDecider: (_attempt, status) => isRetryableError(status),
};

/** `TEMPORAL_*`, as Temporal's own tools read them. */
export function readTemporalConfig(record: EnvironmentRecord): TemporalConfigRead {
  try {
    const overrideEnvVars = Object.fromEntries(
      Object.entries(record).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars });
    const { address = '127.0.0.1:7233', apiKey, tls, metadata } = connectionOptions;
    const connection: ConnectionOptions = {
      address,
      channelArgs: RECONNECT,
      interceptors: [makeGrpcRetryInterceptor(RETRY)],
      ...(apiKey !== undefined && { apiKey }),
      ...(tls !== undefined && { tls }),
      ...(metadata && { metadata }),
    };
    return { kind: 'ok', config: { namespace, connection } };
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
