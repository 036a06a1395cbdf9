import type { LocatedProblem } from '../../environment/configuration-error.ts';
import { env } from '../../environment/env.ts';
import { readEnv, type EnvironmentRecord, type ValuesOf } from '../../environment/environment.ts';
import type { Secret } from '../../environment/secret.ts';
import type { StorageConfig } from './storage-config.ts';

/**
 * The settings that processes which open storage read besides the server's file. Everything else about identities is read by the
 * libraries of the clouds, as their documents say.
 */
export const STORAGE_VARIABLES = {
  /** Azure's keys have 64 bytes. */
  azAccountKey: env.key('AZURE_STORAGE_KEY', 64),
};

/** The server's settings of storage with those of the environment. */
export interface StorageAccess extends StorageConfig {
  readonly az: StorageConfig['az'] & { readonly accountKey?: Secret };
}

export function storageAccess(
  storage: StorageConfig,
  { azAccountKey }: ValuesOf<typeof STORAGE_VARIABLES>,
): StorageAccess {
  return { ...storage, az: { ...storage.az, ...(azAccountKey && { accountKey: azAccountKey }) } };
}

/** Reports nothing when the key is invalid itself, because that is reported already. */
export function storageProblems(
  record: EnvironmentRecord,
  { storage }: { readonly storage: StorageConfig },
): readonly LocatedProblem[] {
  const read = readEnv(record, { key: STORAGE_VARIABLES.azAccountKey });
  if (read.kind === 'invalid' || read.values.key) return [];
  const { deployments, plans, logs, az } = storage;
  const isUsed = [deployments, plans, logs].some((url) => url.startsWith('az:'));
  if (!isUsed || az.endpoint?.startsWith('http:') !== true) return [];
  const message =
    'expected the key of the account, in AZURE_STORAGE_KEY or in the file named by AZURE_STORAGE_KEY_FILE, because no token is sent to storage.az.endpoint without TLS, found nothing; set it, or serve the endpoint with https';
  return [{ path: 'AZURE_STORAGE_KEY', message }];
}
