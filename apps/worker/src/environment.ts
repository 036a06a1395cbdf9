import { resolve } from 'node:path';
import type { EnvironmentRecord } from '@nereid/config';

/** The secrets of this process, and of other processes of Nereid that share its environment. */
const OWN_SECRETS = [
  'GATEWAY_KEY',
  'GITHUB_APP_PRIVATE_KEY',
  'GITHUB_WEBHOOK_SECRET',
  'LINK_KEY',
  'ORDERS_KEY',
  'PLAN_KEY',
  'POOL_KEY',
  'POOL_SEAL_KEY',
];

/** The environment of the process without our own secrets: Terraform never sees them, whatever an allow-list says. */
export function environmentForOthers(record: EnvironmentRecord): EnvironmentRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isOurs(name)));
}

/** The files that these secrets are read from. No code of a repository may see them either. */
export function secretFilesOf(record: EnvironmentRecord): readonly string[] {
  return Object.entries(record).flatMap(([name, path]) =>
    path !== undefined && path !== '' && isOurs(name) && /_(?:FILE|PATH)$/.test(name) ? [resolve(path)] : [],
  );
}

/** Temporal's variables hold keys and certificates. */
function isOurs(name: string): boolean {
  return name.startsWith('TEMPORAL_') || OWN_SECRETS.includes(name.replace(/_FILE$/, ''));
}
