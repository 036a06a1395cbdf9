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
