import { StorageUnavailableError, VersionConflictError } from '../errors.ts';

/** Calls S3 and turns its failures into typed errors. */
export async function orFail<T>(
  key: string,
  attempt: 'read' | 'write' | 'list' | 'delete',
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof VersionConflictError) throw cause;
    throw new StorageUnavailableError(key, attempt, { cause });
  }
}

/** The HTTP status of the response that the SDK turned into an error; 0 when there was none. */
export function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return 0;
  const metadata: unknown = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return 0;
  return Number(metadata.httpStatusCode ?? 0);
}
