import { afterEach, beforeEach } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { createFileStore } from '../folder/file-store.ts';
import type { ObjectStore } from '../object-store.ts';

/** Each test finds this store new and empty: opened before it in a folder of its own, and closed after it. */
export function storeOfEachTest(): ObjectStore {
  const folder = folderOfEachTest();
  const store = {} as ObjectStore; // Tests find it open.
  beforeEach(() => {
    Object.assign(store, createFileStore(folder));
  });
  afterEach(() => {
    store.close();
  });
  return store;
}
