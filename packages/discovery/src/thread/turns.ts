/**
 * Who may compute: a few at once and only one for each repository, so that a repository that takes long holds up its own
 * discoveries. The others come in the order in which they asked.
 */
import { DiscoveryBusyError } from '../errors.ts';

export interface Load {
  readonly running: number;
  readonly waiting: number;
}

export interface Turns {
  run<T>(repository: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  load(): Load;
}

interface Turn {
  readonly repository: string;
  readonly begin: () => void;
}

export function createTurns(atOnce: number, waitingLimit: number): Turns {
  const running = new Set<string>();
  const waiting: Turn[] = [];

  const beginNext = () => {
    while (running.size < atOnce) {
      const at = waiting.findIndex(({ repository }) => !running.has(repository));
      const [turn] = at === -1 ? [] : waiting.splice(at, 1);
      if (!turn) return;
      running.add(turn.repository);
      turn.begin();
    }
  };

  const wait = async (repository: string, signal: AbortSignal | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const turn = { repository, begin: () => resolve(undefined) };
    const leave = () => {
      const at = waiting.indexOf(turn);
      if (at === -1) return;
      waiting.splice(at, 1);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
    waiting.push(turn);
    beginNext();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };

  return {
    async run(repository, signal, work) {
      signal?.throwIfAborted();
      if (waiting.length >= waitingLimit) throw new DiscoveryBusyError(waitingLimit);
      await wait(repository, signal);
      try {
        return await work();
      } finally {
        running.delete(repository);
        beginNext();
      }
    },
    load: () => ({ running: running.size, waiting: waiting.length }),
  };
}
