import { makeTelemetryFilterString, Runtime, type Logger as RuntimeLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Once for the process, before any connection: logs of Temporal's SDK go where ours go, and signals of the system are
 * left to us, because a host has to drain before its workers stop.
 */
export function installRuntime(logger: Logger): void {
  Runtime.install({
    logger: runtimeLogger(logger.child({ of: 'temporal' })),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    },
  });
}

function runtimeLogger(logger: Logger): RuntimeLogger {
  return {
    log: (level, message, meta) => logger[LEVEL[level]](fieldsOf(meta), message),
    trace: (message, meta) => logger.trace(fieldsOf(meta), message),
    debug: (message, meta) => logger.debug(fieldsOf(meta), message),
    info: (message, meta) => logger.info(fieldsOf(meta), message),
    warn: (message, meta) => logger.warn(fieldsOf(meta), message),
    error: (message, meta) => logger.error(fieldsOf(meta), message),
  };
}

const LEVEL = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Times are bigints there, which are no JSON. */
function fieldsOf(meta: object = {}): object {
  return Object.fromEntries(
    Object.entries(meta).map(([name, field]: [string, unknown]) => [
      name,
      typeof field === 'bigint' ? field.toString() : field,
    ]),
  );
}
