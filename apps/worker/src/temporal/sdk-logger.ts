import type { Logger as SdkLogger, LogLevel } from '@temporalio/worker';
import type { Logger } from 'pino';

/** What Temporal's SDK says, as records of our log. What it notices and we mean is for debugging alone. */
export function createSdkLogger(logger: Logger): SdkLogger {
  const log = (level: LogLevel, message: string, meta?: object): void => {
    const told = MEANT.has(message) ? 'debug' : LEVEL[level];
    logger[told](fieldsOf(meta), message);
  };
  const at =
    (level: LogLevel): SdkLogger['info'] =>
    (message, meta) => {
      log(level, message, meta);
    };
  return { log, trace: at('TRACE'), debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

/** A host's queues have activities alone, workflows belong to the control role, and Nexus is not used. */
const MEANT: ReadonlySet<string> = new Set([
  'No workflows registered, not polling for workflow tasks',
  'No Nexus services registered, not polling for Nexus tasks',
]);

const LEVEL = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const satisfies Record<
  LogLevel,
  string
>;

/** Times are bigints there, which are no JSON, and our log knows errors as `err`. */
function fieldsOf(meta: object = {}): object {
  return Object.fromEntries(
    Object.entries(meta).map(([name, field]: [string, unknown]) => [
      name === 'error' ? 'err' : name,
      typeof field === 'bigint' ? field.toString() : field,
    ]),
  );
}
