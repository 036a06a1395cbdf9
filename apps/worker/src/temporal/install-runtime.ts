import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createSdkLogger } from './sdk-logger.ts';

/**
 * Once for the process, before any connection: logs of Temporal's SDK go where ours go, and signals of the system are
 * left to us, because a host has to drain before its workers stop.
 */
export function installRuntime(logger: Logger): void {
  Runtime.install({
    logger: createSdkLogger(logger.child({ of: 'temporal' })),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    },
  });
}
