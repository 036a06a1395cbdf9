import type { ObjectStore } from '@nereid/storage';

/** Storage of an installation that is new: it has nothing, and keeps nothing. */
export const NOTHING: ObjectStore = {
  get: () => Promise.resolve(undefined),
  put: () => Promise.resolve('1'),
  list: none,
  listStamped: none,
  delete: () => Promise.resolve(),
  getStream: () => Promise.resolve(undefined),
  putStream: () => Promise.resolve(),
  close: () => undefined,
};

async function* none(): AsyncGenerator<never> {
  // There is nothing to list.
}
