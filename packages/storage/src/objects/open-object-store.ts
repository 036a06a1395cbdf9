import type { ObjectStore, ObjectStoreOptions } from './object-store.ts';
import { parseStorageUrl } from './storage-url.ts';

/**
 * Opens `file:/folder` or `s3://bucket/prefix`. Nothing is read or made before the first call; credentials come from
 * the standard AWS environment. Throws `InvalidStorageUrlError`.
 */
export async function openObjectStore(url: string, options: ObjectStoreOptions = {}): Promise<ObjectStore> {
  const address = parseStorageUrl(url);
  // Imported on demand: a folder should not have to wait 0.2 s for the AWS SDK.
  if (address.kind === 's3') return (await import('./s3-store.ts')).createS3Store(address, options);
  return (await import('./file-store.ts')).createFileStore(address.folder);
}
