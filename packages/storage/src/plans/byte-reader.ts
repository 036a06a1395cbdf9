/** Reads given numbers of bytes from a stream, whatever its pieces are. Close the reader, or the stream stays open. */
export interface ByteReader {
  /** Returns fewer bytes only at the end of the stream. */
  upTo(bytes: number): Promise<Buffer>;
  /** Undefined when the stream ends earlier. */
  exactly(bytes: number): Promise<Buffer | undefined>;
  hasEnded(): Promise<boolean>;
  /** Yields at most `bytes` more, piece by piece. */
  next(bytes: number): AsyncGenerator<Buffer>;
  rest(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export function createByteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = stream[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  let ended = false;

  async function fill(): Promise<boolean> {
    while (held.length === 0 && !ended) {
      const piece = await pieces.next();
      if (piece.done === true) ended = true;
      else held = Buffer.from(piece.value.buffer, piece.value.byteOffset, piece.value.byteLength);
    }
    return held.length > 0;
  }

  function consume(bytes: number): Buffer {
    const taken = held.subarray(0, bytes);
    held = held.subarray(bytes);
    return taken;
  }

  async function upTo(bytes: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    let missing = bytes;
    while (missing > 0 && (await fill())) {
      const piece = consume(missing);
      taken.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(taken);
  }

  return {
    upTo,
    async exactly(bytes: number): Promise<Buffer | undefined> {
      const taken = await upTo(bytes);
      return taken.length === bytes ? taken : undefined;
    },
    hasEnded: async () => !(await fill()),
    async *next(bytes: number): AsyncGenerator<Buffer> {
      for (let missing = bytes; missing > 0 && (await fill());) {
        const piece = consume(missing);
        missing -= piece.length;
        yield piece;
      }
    },
    async *rest(): AsyncGenerator<Buffer> {
      while (await fill()) yield consume(held.length);
    },
    async close() {
      await pieces.return?.();
    },
  };
}
