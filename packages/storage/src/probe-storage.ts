/** Whether a store can be used: it is asked for what its users ask for, with an object of its own. */
import { randomUUID } from 'node:crypto';
import { errorCode } from './error-code.ts';
import { StorageUnavailableError, VersionConflictError } from './errors.ts';
import { CALL_LIMITS, type CallLimits } from './objects/call-limits.ts';
import { ABSENT, type ObjectStore, type ObjectStoreOptions } from './objects/object-store.ts';
import { openObjectStore } from './objects/open-object-store.ts';

/** `all`: writes, reads and removes. `read`: lists and reads. `list`: lists only, which every process may. */
export type StorageUse = 'all' | 'read' | 'list';

export type ProbedStorage =
  | { readonly kind: 'usable' }
  /** `mayPass`: waiting may help; otherwise somebody has to change something. The sentence has no secret. */
  | { readonly kind: 'unusable'; readonly sentence: string; readonly mayPass: boolean };

/** One attempt; somebody waits for the result. */
const LIMITS: CallLimits = { ...CALL_LIMITS, attempts: 1, answerMs: 4_000, callMs: 5_000, pageKeys: 1 };

/** The folder of the objects that a probe writes. */
const FOLDER = 'doctor/';

export async function probeStorage(url: string, options: ObjectStoreOptions, use: StorageUse): Promise<ProbedStorage> {
  const store = await openObjectStore(url, options, LIMITS);
  try {
    const sentence = await whatIsWrong(store, use);
    return sentence === undefined ? { kind: 'usable' } : { kind: 'unusable', sentence, mayPass: false };
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
    return { kind: 'unusable', sentence: error.message, mayPass: error.mayPass };
  } finally {
    store.close();
  }
}

/** Undefined where nothing is. Throws what the store throws. */
export async function whatIsWrong(store: ObjectStore, use: StorageUse): Promise<string | undefined> {
  const key = `${FOLDER}${randomUUID()}`;
  await store.list('', { limit: 1 })[Symbol.asyncIterator]().next();
  if (use === 'list') return undefined;
  if (use === 'all') return writing(store, key);
  await store.get(key);
  return undefined;
}

async function writing(store: ObjectStore, key: string): Promise<string | undefined> {
  let isWritten = false;
  try {
    const first = await store.put(key, bytes('first'), { ifVersion: ABSENT });
    isWritten = true;
    if (!(await isRefused(store, key, ABSENT)))
      return unconditional('a write where no object may be', 'that it replaced one');
    const second = await store.put(key, bytes('second'), { ifVersion: first });
    if (!(await isRefused(store, key, first)))
      return unconditional('a write over an older version', 'that it replaced a newer one');
    const read = await store.get(key);
    if (read?.version !== second || Buffer.from(read.body).toString() !== 'second')
      return 'expected to read what was written last, found something else; use a store that is consistent, as apps/docs/guides/storage-credentials.md says';
    isWritten = false;
    await store.delete(key);
    if ((await store.get(key)) !== undefined)
      return 'expected no object after it was removed, found it; use a store that is consistent, as apps/docs/guides/storage-credentials.md says';
    return undefined;
  } finally {
    // What went wrong before counts more than that this does, too.
    if (isWritten) await store.delete(key).catch((error: unknown) => errorCode(error));
  }
}

async function isRefused(store: ObjectStore, key: string, ifVersion: string): Promise<boolean> {
  try {
    await store.put(key, bytes('never'), { ifVersion });
    return false;
  } catch (error) {
    if (error instanceof VersionConflictError) return true;
    throw error;
  }
}

function unconditional(write: string, found: string): string {
  return `expected ${write} to be refused, found ${found}; use a store that checks If-Match and If-None-Match, because workers would overwrite each other`;
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}
