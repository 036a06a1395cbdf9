/** So many at once, first come, first served. */
export interface Places {
  /** Waits for a place and keeps it while the work lasts. Throws the signal's reason when it comes first. */
  run<T>(begin: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

export function createPlaces(count: number): Places {
  let free = count;
  /** A set keeps the order of insertion. */
  const waiting = new Set<() => void>();

  async function enter(begin: AbortSignal | undefined): Promise<void> {
    begin?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const turn = Promise.withResolvers<undefined>();
    const take = (): void => {
      turn.resolve(undefined);
    };
    const giveUp = (): void => {
      waiting.delete(take);
      turn.reject(begin?.reason);
    };
    waiting.add(take);
    begin?.addEventListener('abort', giveUp, { once: true });
    await turn.promise.finally(() => begin?.removeEventListener('abort', giveUp));
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(begin, work) {
      await enter(begin);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
