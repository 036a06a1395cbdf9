import type { EnvironmentRecord } from '@nereid/config';

/** The secrets of Nereid's processes: several may share one environment. */
const OWN_SECRETS = [
  'AZURE_STORAGE_KEY',
  'CONSOLE_KEY',
  'CONTROL_SEAL_KEY',
  'GATEWAY_KEY',
  'GITHUB_APP_PRIVATE_KEY',
  'GITHUB_CLIENT_SECRET',
  'GITHUB_WEBHOOK_SECRET',
  'IDENTITY_KEY',
  'LINK_KEY',
  'OIDC_CLIENT_SECRET',
  'ORDERS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'PAYLOAD_KEY',
  'PLAN_KEY',
  'POOL_KEY',
  'POOL_SEAL_KEY',
  'SESSION_KEY',
];

/** Whether a variable has a secret of ours, or leads to one. Temporal's variables hold keys and certificates. */
export function isOwnSecret(name: string): boolean {
  return name.startsWith('TEMPORAL_') || OWN_SECRETS.includes(name.replace(/_FILE$/, ''));
}

/**
 * Returns a copy of the environment, and removes our own secrets from the environment itself. So libraries that look there do not
 * find them, and children that are started without an environment of their own do not inherit them.
 */
export function extractEnvironment(environment: NodeJS.ProcessEnv): EnvironmentRecord {
  const taken = { ...environment };
  for (const name of Object.keys(environment)) if (isOwnSecret(name)) Reflect.deleteProperty(environment, name);
  return taken;
}
