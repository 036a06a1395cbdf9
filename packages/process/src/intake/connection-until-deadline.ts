import type { TemporalConfig } from '../temporal/temporal-config.ts';
import { Connection, isRetryableError, makeGrpcRetryInterceptor, type GrpcRetryOptions } from '@temporalio/client';

/**
 * A call is retried until its deadline; nothing else ends it. The pauses are short because a deadline that falls into a
 * pause is noticed only at the end of the pause; the jitter keeps several processes from retrying in step.
 */
const RETRY: GrpcRetryOptions = {
  delayFunction: () => 100 + Math.random() * 100,
  retryableDecider: (_attempt, status) => isRetryableError(status),
};

/** Connects at the first call. */
export function connectionUntilDeadline({ connection }: Pick<TemporalConfig, 'connection'>): Connection {
  return Connection.lazy({ ...connection, interceptors: [makeGrpcRetryInterceptor(RETRY)] });
}
