import { isUnreadableRecord, type BrokenRecordError, type UnknownRecordVersionError } from '../errors.ts';
import type { ObjectStore } from '../objects/object-store.ts';

export type OnUnreadable = (error: BrokenRecordError | UnknownRecordVersionError) => void;

/** All records below a prefix. One that cannot be read, or that a newer release wrote, is left out and told to `onUnreadable`. */
export async function listReadable<T>(
  store: ObjectStore,
  prefix: string,
  read: (key: string) => Promise<T | undefined>,
  onUnreadable: OnUnreadable,
): Promise<readonly T[]> {
  const reads: Promise<T | undefined>[] = [];
  for await (const key of store.list(prefix)) {
    const reading = read(key).catch((error: unknown) => {
      if (!isUnreadableRecord(error)) throw error;
      onUnreadable(error);
      return undefined;
    });
    reads.push(reading);
  }
  return (await Promise.all(reads)).filter((record) => record !== undefined);
}
