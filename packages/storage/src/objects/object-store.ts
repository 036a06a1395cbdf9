/**
 * Objects by key, in a folder or in a bucket of a cloud. All keep the same rules:
 *
 * - An object is seen whole or not at all, even when its writer dies halfway.
 * - A version changes whenever the content does; a conditional write succeeds for only one of several writers.
 * - Keys are `a/b/c`; no key is the folder of another.
 * - Every failure is typed; only `StorageUnavailableError` is worth another try.
 */
export interface ObjectStore {
  /** The object, or undefined when there is none. */
  get(key: string): Promise<StoredObject | undefined>;
  /** Stores the object and returns its version. Throws `VersionConflictError` when `ifVersion` does not hold. */
  put(key: string, body: Uint8Array, options?: PutOptions): Promise<string>;
  /** The sorted keys that begin with `prefix` (whole segments, ending in `/`) and come after the key `after`. */
  list(prefix: string, options?: ListOptions): AsyncIterable<string>;
  /** As `list`, each key with a stamp: the difference between two listings shows what to read again. */
  listStamped(prefix: string, options?: ListOptions): AsyncIterable<StampedKey>;
  /** Removes the object; a missing object is not a failure. */
  delete(key: string): Promise<void>;
  /** The object in pieces, for objects that may be large; undefined when there is none. */
  getStream(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Stores the bytes of the stream once it has ended; stores nothing if it throws. */
  putStream(key: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Releases connections and files. The store must not be used afterwards. */
  close(): void;
}

export interface StoredObject {
  readonly body: Uint8Array;
  /** Opaque; for `ifVersion`. */
  readonly version: string;
}

export interface StampedKey {
  readonly key: string;
  /** Opaque; changes whenever the object does. No `ifVersion`. */
  readonly stamp: string;
  /** When it was written, in milliseconds, by the clock of the store. */
  readonly writtenMs: number;
}

export interface PutOptions {
  /** The version that the stored object must have, or `ABSENT`. Without it, any object is replaced. */
  readonly ifVersion?: string;
  /**
   * Whether the write must survive a power cut (default true). If not, a folder saves two fsyncs; writes to a bucket
   * always survive. In either case the object is whole after a crash of the process.
   */
  readonly synced?: boolean;
}

/** The `ifVersion` of an object that must not exist yet. */
export const ABSENT = 'absent';

export interface ListOptions {
  readonly after?: string;
  readonly limit?: number;
}

/** How to reach the services; one that no URL names needs nothing. */
export interface ObjectStoreOptions {
  readonly s3?: S3Options;
  readonly gs?: GsOptions;
  readonly az?: AzOptions;
}

export interface S3Options {
  /** The address of an S3 server other than AWS. Without it, the standard AWS environment decides. */
  readonly endpoint?: string;
  readonly region?: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. Default: true when `endpoint` is given. */
  readonly pathStyle?: boolean;
  /** Without them, the standard AWS environment has them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface GsOptions {
  /** Default: `https://storage.googleapis.com`. */
  readonly endpoint?: string;
  /** The address of an emulator, instead of `endpoint`: no credentials are looked for, and none are sent. */
  readonly emulator?: string;
}

export interface AzOptions {
  /** An address in which `{account}` stands for the account. Default: `https://{account}.blob.core.windows.net`. */
  readonly endpoint?: string;
  /** In base64. Without it, a token of Microsoft Entra ID is asked for, as the standard Azure environment says. */
  readonly accountKey?: { reveal(): string };
  /** Which of the machine's managed identities; not needed where there is one. */
  readonly clientId?: string;
}
