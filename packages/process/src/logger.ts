import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

export interface LogConfig {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

/** Logs one line per event to standard output. Messages are static; all else goes into fields. `app` names the process. */
export function createLogger(app: string, { level, format }: LogConfig): Logger {
  const options = { level, base: { app } };
  return format === 'pretty' ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options);
}
