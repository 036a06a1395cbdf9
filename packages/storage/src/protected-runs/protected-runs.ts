import { protectedRun, type ProtectedRun } from '@nereid/domain/intake/record';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { PROTECTED_RUNS_PREFIX, protectedRunKey, protectedRunsPrefix } from '../records/record-keys.ts';

/** Runs of GitHub Actions that wait for our answer: one small object for each deployment, of which a run that is started again has another one. */
export interface ProtectedRuns {
  /** Has it wait, and returns it: as it is, if it waits already. Undefined when too many of its repository wait. */
  add(run: ProtectedRun): Promise<ProtectedRun | undefined>;
  /** Of all repositories; nobody has verified them. */
  list(onUnreadable: OnUnreadable): Promise<readonly ProtectedRun[]>;
  /** Replaces what is stored of it. */
  write(run: ProtectedRun): Promise<void>;
  remove(run: ProtectedRun): Promise<void>;
  /** Removes what was written before, by the clock of the store, whether or not anybody can read it. */
  forget(before: Date): Promise<void>;
}

/** Far more than wait for one root; all of them are read once a minute. */
export const PROTECTED_RUNS_LIMIT = 1_000;

const format = recordFormat<ProtectedRun>(protectedRun, 1);

export function createProtectedRuns(store: ObjectStore, limit = PROTECTED_RUNS_LIMIT): ProtectedRuns {
  return {
    async add(run) {
      const key = keyOf(run);
      const known = await read(store, key);
      if (known !== undefined) return known;
      if (await isFull(store, protectedRunsPrefix(run.received.body.event.repository), limit)) return undefined;
      await store.put(key, format.encode(key, run));
      return run;
    },
    list: (onUnreadable) => listReadable(store, PROTECTED_RUNS_PREFIX, (key) => read(store, key), onUnreadable),
    async write(run) {
      const key = keyOf(run);
      await store.put(key, format.encode(key, run));
    },
    remove: (run) => store.delete(keyOf(run)),
    async forget(before) {
      for await (const { key, writtenMs } of store.listStamped(PROTECTED_RUNS_PREFIX))
        if (writtenMs < before.getTime()) await store.delete(key);
    },
  };
}

function keyOf({ received: { body } }: ProtectedRun): string {
  return protectedRunKey(body.event.repository, body.event);
}

async function isFull(store: ObjectStore, prefix: string, limit: number): Promise<boolean> {
  const keys = await Array.fromAsync(store.list(prefix, { limit }));
  return keys.length >= limit;
}

async function read(store: ObjectStore, key: string): Promise<ProtectedRun | undefined> {
  const found = await store.get(key);
  return found && format.decode(key, found.body);
}
