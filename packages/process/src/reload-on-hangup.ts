import type { ReloadableServerConfig } from '@nereid/config';
import type { Logger } from 'pino';

/**
 * Reads the server's file again on SIGHUP and logs the result. `onReload` is called after each reload, also after one that failed.
 * Returns a function that stops this.
 */
export function reloadOnHangup(
  server: ReloadableServerConfig,
  logger: Logger,
  onReload: () => void = () => undefined,
): () => void {
  const reload = () => {
    const reloaded = server.reload();
    if (reloaded.kind === 'reloaded') logger.info('configuration reloaded');
    else logger.error({ problems: reloaded.problems }, 'configuration broken, the old one stays in force');
    onReload();
  };
  process.on('SIGHUP', reload);
  return () => process.off('SIGHUP', reload);
}
