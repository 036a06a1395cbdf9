import { policyFor, readServerConfig, type RepositoryPolicy } from '@nereid/config';

const SERVER_CONFIG = `
repositories: [{ match: "*/*", allowed_overrides: [terraform_version, distribution, plan_review, workflow] }]
storage: { deployments: "file:/tmp", plans: "file:/tmp", logs: "file:/tmp" }
audit: { to: "file:/tmp/audit" }
`;

/** Every repository is allowed, with the server's defaults. */
export function anyPolicy(): RepositoryPolicy {
  const read = readServerConfig(SERVER_CONFIG);
  const policy = read.kind === 'ok' ? policyFor(read.config, 'acme/infra') : undefined;
  if (!policy) throw new Error('expected the configuration of this test to be valid');
  return policy;
}
