export interface WatchedSource {
  pieces(): AsyncGenerator<Uint8Array>;
  /** What the source itself threw: the caller's failure, not the store's. */
  failure(): unknown;
}

export function watchSource(body: AsyncIterable<Uint8Array>): WatchedSource {
  let failure: unknown;
  return {
    async *pieces() {
      try {
        yield* body;
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    failure: () => failure,
  };
}
