import { randomInt } from 'node:crypto';
import { makeTelemetryFilterString, Runtime, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createSdkLogger } from './sdk-logger.ts';

export interface InstalledRuntime {
  /** Where the SDK serves its metrics while it has a connection; undefined when it measures nothing. */
  readonly metricsUrl: string | undefined;
}

/**
 * To be called once, before any connection. Sends the logs of Temporal's SDK where ours go, and leaves system signals to
 * us, because a host has to drain before its workers stop.
 */
export function installRuntime(logger: Logger, { isMeasured }: { readonly isMeasured: boolean }): InstalledRuntime {
  const sdkLogger = createSdkLogger(logger.child({ of: 'temporal' }));
  if (isMeasured) return installMeasured(sdkLogger);
  Runtime.install(runtimeOptions(sdkLogger));
  return { metricsUrl: undefined };
}

/** Thousands of ports are free on any machine, so this many failures in a row have another reason than a taken port. */
const TRIES = 20;

/** The SDK cannot say which port it got if it chooses one itself, so we try random ports until it can have one. */
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
 * Below the ports that systems hand out by themselves, on Linux from 32,768 on: the SDK releases its port after each failed
 * attempt to reach Temporal, and needs the same port for the next attempt.
 */
const PORTS = { from: 10_000, below: 32_768 } as const;

/** Times in seconds and names with suffixes, as Prometheus recommends and as our own metrics have them. */
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
