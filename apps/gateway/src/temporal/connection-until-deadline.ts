import type { TemporalConfig } from '@nereid/process';
import { Connection, isRetryableError, makeGrpcRetryInterceptor, type GrpcRetryOptions } from '@temporalio/client';

/**
 * A call is tried again until its deadline, which alone ends it. The pauses are short because a deadline that falls into
 * one is noticed only at its end; the jitter keeps several gateways from asking in step.
 */
const RETRY: GrpcRetryOptions = {
  delayFunction: () => 100 + Math.random() * 100,
  retryableDecider: (_attempt, status) => isRetryableError(status),
};

/** Connects when it is first asked. */
export function connectionUntilDeadline({ connection }: Pick<TemporalConfig, 'connection'>): Connection {
  return Connection.lazy({ ...connection, interceptors: [makeGrpcRetryInterceptor(RETRY)] });
}
