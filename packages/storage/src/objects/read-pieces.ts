type Next = () => Promise<IteratorResult<Uint8Array>>;

/** The pieces of a stream, each of which is read by `read`. A reader who stops early ends the stream. */
export async function* readPieces(
  body: AsyncIterable<Uint8Array>,
  read: (next: Next) => ReturnType<Next>,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const piece = await read(() => pieces.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}
