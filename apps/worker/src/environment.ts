import type { EnvironmentRecord } from '@nereid/config';

/** What this process, or another of Nereid's with the same environment, keeps to itself. */
const OWN_SECRETS = ['GITHUB_APP_PRIVATE_KEY', 'GITHUB_WEBHOOK_SECRET', 'LINK_KEY', 'PLAN_KEY'];

/** The process' environment without our own secrets: whatever an allow-list says, Terraform never sees those. */
export function environmentForOthers(record: EnvironmentRecord): EnvironmentRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isOurs(name)));
}

/** Temporal's variables hold keys and certificates. */
function isOurs(name: string): boolean {
  return name.startsWith('TEMPORAL_') || OWN_SECRETS.includes(name.replace(/_FILE$/, ''));
}
