import { policyFor, type RepositoryPolicy } from './policy.ts';
import { readServerConfig } from '../read-server-config.ts';
import type { ServerConfig } from '../server-config.ts';

const STORAGE = 'storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }';

/** The server's configuration with these repositories; storage is filled in. */
export function serverWith(yaml: string): ServerConfig {
  const read = readServerConfig(`${yaml}\n${STORAGE}`);
  if (read.kind === 'invalid')
    throw new Error(read.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return read.config;
}

/** The server's policy for acme/infra. */
export function policyWith(yaml: string): RepositoryPolicy {
  const policy = policyFor(serverWith(yaml), 'acme/infra');
  if (!policy) throw new Error('expected the policy of this test to allow acme/infra');
  return policy;
}
