import { InvalidStorageUrlError } from '../errors.ts';

/**
 * Objects by key, in a folder or in a bucket. Both keep the same rules:
 *
 * - An object is seen whole or not at all, whatever dies while it is written.
 * - A version changes whenever the content does; a conditional write succeeds for one of several writers.
 * - Keys are `a/b/c`; no key is the folder of another.
 * - Every failure is typed: `StorageUnavailableError` may be tried again, nothing else may.
 */
export interface ObjectStore {
  /** The object, or undefined when there is none. */
  get(key: string): Promise<StoredObject | undefined>;
  /** Stores the object and answers its version. Throws `VersionConflictError` when `ifVersion` does not hold. */
  put(key: string, body: Uint8Array, options?: PutOptions): Promise<string>;
  /** Keys that begin with `prefix` (whole segments, ending in `/`), sorted, after the key `after`. */
  list(prefix: string, options?: ListOptions): AsyncIterable<string>;
  /** Removes the object; one that is not there is no failure. */
  delete(key: string): Promise<void>;
  /** The object in pieces, for what may be large; undefined when there is none. */
  getStream(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Stores what the stream yields, when it ended; nothing if it throws. */
  putStream(key: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Gives back connections and files. Nothing may be asked afterwards. */
  close(): void;
}

export interface StoredObject {
  readonly body: Uint8Array;
  /** Opaque; for `ifVersion`. */
  readonly version: string;
}

export interface PutOptions {
  /** The version that must be there now, or `absent`. Without it, whatever is there is replaced. */
  readonly ifVersion?: string;
  /**
   * Whether the write must outlive a power cut (default true). A folder saves two fsyncs when it need not; a bucket
   * always does. In either case the object is whole after a crash of the process.
   */
  readonly synced?: boolean;
}

/** The `ifVersion` of an object that must not exist yet. */
export const ABSENT = 'absent';

export interface ListOptions {
  readonly after?: string;
  readonly limit?: number;
}

export interface ObjectStoreOptions {
  /** Where S3 is, when it is not AWS. Absent: the standard AWS environment decides. */
  readonly endpoint?: string;
  readonly region?: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. Default: true when `endpoint` is given. */
  readonly pathStyle?: boolean;
}

/**
 * Opens `file:/folder` or `s3://bucket/prefix`. Nothing is read or made before the first call; credentials come from
 * the standard AWS environment. Throws `InvalidStorageUrlError`.
 */
export async function openObjectStore(url: string, options: ObjectStoreOptions = {}): Promise<ObjectStore> {
  const address = parseStorageUrl(url);
  // Imported on demand: who stores in a folder should not wait 0.2 s for the AWS SDK.
  if (address.kind === 's3') return (await import('./s3-store.ts')).createS3Store(address, options);
  return (await import('./file-store.ts')).createFileStore(address.folder);
}

export type StorageAddress =
  | { readonly kind: 'file'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; /** Empty, or ends in `/`. */ readonly prefix: string };

export function parseStorageUrl(url: string): StorageAddress {
  const file = /^file:(?:\/\/)?(?<folder>\/(?!\/)[^?#]*)$/.exec(url)?.groups?.['folder'];
  if (file !== undefined) return { kind: 'file', folder: decodeFolder(file) };
  const { bucket, prefix } =
    /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[^?#]*))?$/.exec(url)?.groups ?? {};
  if (bucket === undefined)
    throw new InvalidStorageUrlError(`something that begins with ${JSON.stringify(url.slice(0, 5))}`);
  const trimmed = (prefix ?? '').replace(/\/+$/, '');
  return { kind: 's3', bucket, prefix: trimmed === '' ? '' : `${trimmed}/` };
}

function decodeFolder(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new InvalidStorageUrlError('a folder with a broken % escape', { cause });
  }
}
