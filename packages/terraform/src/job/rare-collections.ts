/**
 * The environment of a command of Terraform or OpenTofu that starts no provider. Most such commands are over within milliseconds, of
 * which the collections of their first garbage take a quarter. So garbage may grow to four times what is in use, until all of it takes
 * half a gibibyte: a plan with its providers takes as much. Providers would inherit these settings, so no other command has them. Those
 * of the root or of the server's file go before.
 */
import type { Environment } from '../environment.ts';

const RARE_COLLECTIONS = { GOGC: '400', GOMEMLIMIT: '512MiB' } as const;

export function withRareCollections(env: Environment): Environment {
  return { ...RARE_COLLECTIONS, ...env };
}
