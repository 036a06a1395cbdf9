import { ConfigurationError } from '@nereid/config';
import { probeStorage } from '@nereid/storage';
import type { Logger } from 'pino';
import type { ConsoleConfig } from '../platform/config/config.ts';

/**
 * Throws a ConfigurationError with what is wrong of storage until somebody changes something. Storage that is only away is
 * logged: pages say so, and it comes back.
 */
export async function requireStorage(
  { storage }: Pick<ConsoleConfig, 'storage'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const looks = (['deployments', 'logs'] as const).map(async (name) => {
    const probed = await probeStorage(storage[name], storage, 'list');
    if (probed.kind === 'usable') return [];
    if (!probed.mayPass) return [{ path: `storage.${name}`, message: probed.sentence }];
    logger.warn({ setting: `storage.${name}`, reason: probed.sentence }, 'something that this console needs is away');
    return [];
  });
  const problems = (await Promise.all(looks)).flat();
  if (problems.length > 0) throw new ConfigurationError(problems);
}
