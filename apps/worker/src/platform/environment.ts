import { resolve } from 'node:path';
import type { EnvironmentRecord } from '@nereid/config';
import { isOwnSecret } from '@nereid/process';

/** The environment of the process without our own secrets: Terraform never sees them, whatever an allow-list says. */
export function environmentForOthers(record: EnvironmentRecord): EnvironmentRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isOwnSecret(name)));
}

/** The files that these secrets are read from. No code of a repository may see them either. */
export function secretFilesOf(record: EnvironmentRecord): readonly string[] {
  return Object.entries(record).flatMap(([name, path]) =>
    path !== undefined && path !== '' && isOwnSecret(name) && /_(?:FILE|PATH)$/.test(name) ? [resolve(path)] : [],
  );
}
