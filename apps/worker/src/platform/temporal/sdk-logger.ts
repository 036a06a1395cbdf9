import type { Logger as SdkLogger, LogLevel } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Writes the messages of Temporal's SDK to our log. Messages about choices that we made on purpose get level `debug`. */
export function createSdkLogger(logger: Logger): SdkLogger {
  const log = (level: LogLevel, message: string, meta?: object): void => {
    const ours = MEANT.has(message) ? 'debug' : LEVEL[level];
    logger[ours](fieldsOf(meta), message);
  };
  const at =
    (level: LogLevel): SdkLogger['info'] =>
    (message, meta) => {
      log(level, message, meta);
    };
  return { log, trace: at('TRACE'), debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

/** On purpose, a host's queues have only activities, workflows belong to the control role, and Nexus is not used. */
const MEANT: ReadonlySet<string> = new Set([
  'No workflows registered, not polling for workflow tasks',
  'No Nexus services registered, not polling for Nexus tasks',
]);

const LEVEL = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const satisfies Record<
  LogLevel,
  string
>;

/** The SDK's times are bigints, which JSON does not have, and our log expects errors as `err`. */
function fieldsOf(meta: object = {}): object {
  return Object.fromEntries(
    Object.entries(meta).map(([name, field]: [string, unknown]) => [
      name === 'error' ? 'err' : name,
      typeof field === 'bigint' ? field.toString() : field,
    ]),
  );
}
