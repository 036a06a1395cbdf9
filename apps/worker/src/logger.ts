import type { Log } from '@nereid/github';
import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

export interface LogConfig {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

/** To the standard output, a line per event; static messages, everything else in fields. */
export function createLogger({ level, format }: LogConfig): Logger {
  const options = { level, base: { app: 'worker' } };
  return format === 'pretty' ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options);
}

/** The same stream, as the client of GitHub writes to it: the message first. */
export function createGitHubLog(logger: Logger): Log {
  const child = logger.child({ of: 'github' });
  return {
    debug: (message, fields) => child.debug(fields ?? {}, message),
    info: (message, fields) => child.info(fields ?? {}, message),
    warn: (message, fields) => child.warn(fields ?? {}, message),
    error: (message, fields) => child.error(fields ?? {}, message),
  };
}
