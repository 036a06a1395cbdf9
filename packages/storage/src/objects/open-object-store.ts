import { CALL_LIMITS, type CallLimits } from './call-limits.ts';
import type { ObjectStore, ObjectStoreOptions } from './object-store.ts';
import { parseStorageUrl } from './storage-url.ts';

/**
 * Opens `file:/folder`, `s3://bucket/prefix`, `gs://bucket/prefix` or `az://account/container/prefix`. Nothing is read or made
 * before the first call; credentials come from each cloud's standard environment. Throws `InvalidStorageUrlError`.
 */
export async function openObjectStore(
  url: string,
  { s3 = {}, gs = {}, az = {} }: ObjectStoreOptions = {},
  limits: CallLimits = CALL_LIMITS,
): Promise<ObjectStore> {
  const address = parseStorageUrl(url);
  // Each client is imported on demand: it takes 0.2 s and 20 to 85 MB of memory.
  switch (address.kind) {
    case 'file':
      return (await import('./folder/file-store.ts')).createFileStore(address.folder);
    case 's3':
      return (await import('./s3/s3-store.ts')).createS3Store(address, s3, limits);
    case 'gs':
      return (await import('./gs/gs-store.ts')).createGsStore(address, gs, limits);
    case 'az':
      return (await import('./az/az-store.ts')).createAzStore(address, az, limits);
  }
}
