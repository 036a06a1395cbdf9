/** Services of three clouds on this machine, each with a bucket, and the settings with which stores reach them. */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { startAzurite, startFakeGcs, startMoto, type Emulator } from '@nereid/test-kit';
import { join } from 'node:path';
import type { ObjectStoreOptions } from '../object-store.ts';

export interface Clouds {
  /** The beginning of a URL in the bucket of each cloud. */
  readonly urls: { readonly s3: string; readonly gs: string; readonly az: string };
  /** How stores reach the services; `through` may put something in between. */
  options(through?: (endpoint: string) => string): Required<ObjectStoreOptions>;
  readonly endpoints: { readonly s3: string; readonly gs: string; readonly az: string };
  /** The key that no error may show. */
  readonly accountKey: string;
  stop(): Promise<void>;
}

/** On a fresh machine the services are installed first, one of them by a build of minutes. */
export const INSTALLS_WITHIN_MS = 20 * 60_000;

const BUCKET = 'nereid';
const S3 = {
  region: 'eu-central-1',
  pathStyle: true,
  credentials: { accessKeyId: 'any', secretAccessKey: 'a-secret-of-s3' },
};

/** `folder` takes their logs. */
export async function startClouds(folder: string, env: NodeJS.ProcessEnv): Promise<Clouds> {
  const started = async <T extends Emulator>(
    start: (options: { env: NodeJS.ProcessEnv; report: () => void; logFile: string }) => Promise<T>,
    name: string,
  ) => start({ env, report: () => undefined, logFile: join(folder, `${name}.log`) });
  const [moto, gcs, azurite] = await Promise.all([
    started(startMoto, 'moto'),
    started(startFakeGcs, 'fake-gcs'),
    started(startAzurite, 'azurite'),
  ]);
  const { account, accountKey } = azurite;
  await new S3Client({ ...S3, endpoint: moto.endpoint, forcePathStyle: true }).send(
    new CreateBucketCommand({ Bucket: BUCKET }),
  );
  await fetch(`${gcs.endpoint}/storage/v1/b`, { method: 'POST', body: JSON.stringify({ name: BUCKET }) });
  const key = new StorageSharedKeyCredential(account, accountKey);
  await new ContainerClient(`${azurite.endpoint}/${account}/${BUCKET}`, key).create();
  return {
    urls: { s3: `s3://${BUCKET}`, gs: `gs://${BUCKET}`, az: `az://${account}/${BUCKET}` },
    endpoints: { s3: moto.endpoint, gs: gcs.endpoint, az: azurite.endpoint },
    options: (through = (endpoint) => endpoint) => ({
      s3: { ...S3, endpoint: through(moto.endpoint) },
      gs: { emulator: through(gcs.endpoint) },
      az: { endpoint: `${through(azurite.endpoint)}/{account}`, accountKey: { reveal: () => accountKey } },
    }),
    accountKey,
    stop: async () => {
      await Promise.all([moto.stop(), gcs.stop(), azurite.stop()]);
    },
  };
}
