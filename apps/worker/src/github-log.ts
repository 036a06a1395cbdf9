import type { Log } from '@nereid/github';
import type { Logger } from 'pino';

/** The log of the process, as the client of GitHub writes to it: the message first. */
export function createGitHubLog(logger: Logger): Log {
  const child = logger.child({ of: 'github' });
  return {
    debug: (message, fields) => child.debug(fields ?? {}, message),
    info: (message, fields) => child.info(fields ?? {}, message),
    warn: (message, fields) => child.warn(fields ?? {}, message),
    error: (message, fields) => child.error(fields ?? {}, message),
  };
}
