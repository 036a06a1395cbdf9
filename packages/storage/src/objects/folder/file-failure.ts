import { errorCode } from '../../error-code.ts';
import { InvalidKeyError, StorageUnavailableError, VersionConflictError, type StorageAttempt } from '../../errors.ts';

/** Calls the file system and turns its failures into typed errors. */
export async function orFail<T>(key: string, attempt: 'read' | 'write' | 'delete', call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof VersionConflictError || cause instanceof StorageUnavailableError) throw cause;
    if (attempt === 'write' && ['EISDIR', 'ENOTDIR', 'EEXIST'].includes(errorCode(cause)))
      throw new InvalidKeyError(key, 'it is the folder of another key, or another key is its folder', { cause });
    throw unavailable(key, attempt, cause);
  }
}

export function unavailable(key: string, attempt: StorageAttempt, cause: unknown): StorageUnavailableError {
  const why = REASONS.get(errorCode(cause));
  return new StorageUnavailableError(key, attempt, {
    cause,
    ...(why !== undefined && { why: `${why} (${errorCode(cause)})${REMEDY}`, mayPass: false }),
  });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'expected a folder that this process may use, found that it may not'],
  ['EPERM', 'expected a folder that this process may use, found that it may not'],
  ['EROFS', 'expected a disk that can be written, found one that can only be read'],
  ['ENOSPC', 'expected room on the disk, found none'],
  ['EDQUOT', 'expected room on the disk, found that the quota is used up'],
]);

const REMEDY =
  '; give the folder to the user of this process on a disk that has room and can be written, or correct the URL of storage';

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
