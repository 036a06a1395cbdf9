import { errorCode } from '../../error-code.ts';
import { InvalidKeyError, StorageUnavailableError, VersionConflictError } from '../../errors.ts';

/** Calls the file system and turns its failures into typed errors. */
export async function orFail<T>(key: string, attempt: 'read' | 'write' | 'delete', call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof VersionConflictError || cause instanceof StorageUnavailableError) throw cause;
    if (attempt === 'write' && ['EISDIR', 'ENOTDIR', 'EEXIST'].includes(errorCode(cause)))
      throw new InvalidKeyError(key, 'it is the folder of another key, or another key is its folder', { cause });
    throw new StorageUnavailableError(key, attempt, { cause });
  }
}

export async function orAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Also true of a key whose folder is a file, and of a key that is a folder: neither is an object. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error));
}
