import type { Logger } from 'pino';
import type { RunningWorker } from './worker.ts';

/**
 * Closes on the first SIGTERM or SIGINT and exits 0; a second signal ends the process as the system does. A worker that
 * stops by itself is broken: the process exits 1, for its supervisor to start another.
 */
export function exitOnSignal(worker: Pick<RunningWorker, 'close' | 'broken'>, logger: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
  void worker.broken.then((error) => {
    logger.fatal({ err: error }, 'a worker broke');
    process.exit(1);
  });

  async function stop(signal: string): Promise<void> {
    logger.info({ signal }, 'stopping');
    try {
      await worker.close();
    } catch (error) {
      logger.error({ err: error }, 'could not stop cleanly');
      process.exit(1);
    }
    logger.info('stopped');
    process.exit(0);
  }
}
