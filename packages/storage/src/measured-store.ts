import { StorageUnavailableError, VersionConflictError } from './errors.ts';
import type { ObjectStore } from './objects/object-store.ts';

/** One request to a store, once it is over. */
export interface StoreRequest {
  readonly operation: 'get' | 'put' | 'list' | 'delete' | 'get-stream' | 'put-stream';
  /** `conflict`: somebody else wrote meanwhile, which is as usual. `unavailable`: it may pass. `failed`: it will not pass by itself. */
  readonly outcome: 'ok' | 'conflict' | 'unavailable' | 'failed';
  /** Of a listing or a stream, the time of whoever reads it is part of it. */
  readonly durationMs: number;
}

/** The same store, which tells `onRequest` of each request. A listing or a stream counts when its reader is done with it. */
export function measuredStore(store: ObjectStore, onRequest: (request: StoreRequest) => void): ObjectStore {
  const begin = (operation: StoreRequest['operation']) => {
    const startedAt = performance.now();
    return (outcome: StoreRequest['outcome']) => {
      onRequest({ operation, outcome, durationMs: performance.now() - startedAt });
    };
  };

  async function measured<T>(operation: StoreRequest['operation'], request: () => Promise<T>): Promise<T> {
    const end = begin(operation);
    try {
      const answer = await request();
      end('ok');
      return answer;
    } catch (error) {
      end(outcomeOf(error));
      throw error;
    }
  }

  async function* measuredAll<T>(operation: StoreRequest['operation'], values: AsyncIterable<T>): AsyncGenerator<T> {
    const end = begin(operation);
    let outcome: StoreRequest['outcome'] = 'ok';
    try {
      yield* values;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      // Also where the reader has seen enough.
      end(outcome);
    }
  }

  return {
    get: (key) => measured('get', () => store.get(key)),
    put: (key, body, options) => measured('put', () => store.put(key, body, options)),
    list: (prefix, options) => measuredAll('list', store.list(prefix, options)),
    listStamped: (prefix, options) => measuredAll('list', store.listStamped(prefix, options)),
    delete: (key) => measured('delete', () => store.delete(key)),
    async getStream(key) {
      const end = begin('get-stream');
      try {
        const stream = await store.getStream(key);
        if (stream === undefined) end('ok');
        return stream && measuredAll('get-stream', stream);
      } catch (error) {
        end(outcomeOf(error));
        throw error;
      }
    },
    putStream: (key, body) => measured('put-stream', () => store.putStream(key, body)),
    close: () => {
      store.close();
    },
  };
}

function outcomeOf(error: unknown): StoreRequest['outcome'] {
  if (error instanceof VersionConflictError) return 'conflict';
  return error instanceof StorageUnavailableError ? 'unavailable' : 'failed';
}
