import { defined } from '@nereid/domain/defined';
import type { z } from 'zod';
import { withoutTrailingSlash } from '../../settings/without-trailing-slash.ts';
import type { Storage } from './storage-schema.ts';

/** Each a URL without a trailing slash: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://account/container/prefix`, `file:/dir`. */
export interface StorageConfig {
  readonly deployments: string;
  readonly plans: string;
  readonly logs: string;
  /** Absent values come from the AWS SDK's own environment (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`). */
  readonly s3: { readonly endpoint?: string; readonly region?: string; readonly pathStyle: boolean };
  /** Default: Google's own address. An emulator takes its place, and gets no credentials. */
  readonly gs: { readonly endpoint?: string; readonly emulator?: string };
  /** With `{account}` for the account; default: that of Azure's public cloud. `clientId`: which of the machine's identities. */
  readonly az: { readonly endpoint?: string; readonly clientId?: string };
}

export function normaliseStorage(storage: z.infer<typeof Storage>): StorageConfig {
  const { deployments, plans, logs, s3, gs, az } = storage;
  return {
    deployments: withoutTrailingSlash(deployments),
    plans: withoutTrailingSlash(plans),
    logs: withoutTrailingSlash(logs),
    s3: { ...endpointOf(s3), ...regionOf(s3), pathStyle: s3?.path_style ?? false },
    gs: { ...endpointOf(gs), ...defined({ emulator: gs?.emulator }) },
    az: { ...endpointOf(az), ...defined({ clientId: az?.client_id }) },
  };
}

function endpointOf({ endpoint }: { endpoint?: string | undefined } = {}) {
  return endpoint === undefined ? {} : { endpoint };
}

function regionOf({ region }: { region?: string | undefined } = {}) {
  return region === undefined ? {} : { region };
}
