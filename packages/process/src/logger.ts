import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

export interface LogConfig {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

/** To the standard output, a line per event; static messages, everything else in fields. `app` names the process. */
export function createLogger(app: string, { level, format }: LogConfig): Logger {
  const options = { level, base: { app } };
  return format === 'pretty' ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options);
}
