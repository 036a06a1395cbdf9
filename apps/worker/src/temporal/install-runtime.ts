import { randomInt } from 'node:crypto';
import { makeTelemetryFilterString, Runtime, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createSdkLogger } from './sdk-logger.ts';

export interface InstalledRuntime {
  /** Where the SDK shows its metrics, while it has a connection; undefined: it measures nothing. */
  readonly metricsUrl: string | undefined;
}

/**
 * Once for the process, before any connection: logs of Temporal's SDK go where ours go, and signals of the system are
 * left to us, because a host has to drain before its workers stop.
 */
export function installRuntime(logger: Logger, { isMeasured }: { readonly isMeasured: boolean }): InstalledRuntime {
  const sdkLogger = createSdkLogger(logger.child({ of: 'temporal' }));
  if (isMeasured) return installMeasured(sdkLogger);
  Runtime.install(runtimeOptions(sdkLogger));
  return { metricsUrl: undefined };
}

/** Thousands are free on any machine, so this many failures in a row have another reason than a port that is taken. */
const TRIES = 20;

/** The SDK says only that it cannot have a port, and cannot say which one it got: we choose until it has one. */
function installMeasured(logger: ReturnType<typeof createSdkLogger>): InstalledRuntime {
  for (let left = TRIES - 1; ; left -= 1) {
    const address = `127.0.0.1:${randomInt(PORTS.from, PORTS.below)}`;
    try {
      Runtime.install(runtimeOptions(logger, exporter(address)));
      return { metricsUrl: `http://${address}/metrics` };
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/**
 * Below those that systems hand out by themselves, on Linux from 32,768 on: the SDK lets its port go after each attempt to
 * reach Temporal that failed, and needs the same one again for the next.
 */
const PORTS = { from: 10_000, below: 32_768 } as const;

/** In seconds and with suffixes, as Prometheus wants names and as ours are. */
function exporter(bindAddress: string) {
  return {
    attachServiceName: false,
    prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
  };
}

function runtimeOptions(
  logger: ReturnType<typeof createSdkLogger>,
  metrics?: ReturnType<typeof exporter>,
): RuntimeOptions {
  return {
    logger,
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metrics && { metrics }),
    },
  };
}
