import type { Logger } from 'pino';

/** Closes on the first SIGTERM or SIGINT and exits 0; a second signal ends the process as the system does. */
export function exitOnSignal(closable: { close(): Promise<void> }, logger: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));

  async function stop(signal: string): Promise<void> {
    logger.info({ signal }, 'stopping');
    try {
      await closable.close();
    } catch (error) {
      logger.error({ err: error }, 'could not stop cleanly');
      process.exit(1);
    }
    logger.info('stopped');
    process.exit(0);
  }
}
