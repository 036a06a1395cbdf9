import type { Log } from '@nereid/github';
import type { Logger } from 'pino';

/** The log of the process in the form that the GitHub client expects: the message comes first. */
export function createGitHubLog(logger: Logger): Log {
  const child = logger.child({ of: 'github' });
  return {
    debug: (message, fields) => child.debug(fields ?? {}, message),
    info: (message, fields) => child.info(fields ?? {}, message),
    warn: (message, fields) => child.warn(fields ?? {}, message),
    error: (message, fields) => child.error(fields ?? {}, message),
  };
}
