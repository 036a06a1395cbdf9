import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

export interface LogConfig {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

/** To the standard output, a line per event; static messages, everything else in fields. */
export function createLogger({ level, format }: LogConfig): Logger {
  const options = { level, base: { app: 'gateway' } };
  return format === 'pretty' ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options);
}
