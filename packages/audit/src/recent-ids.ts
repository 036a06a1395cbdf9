/** The ids of a file's last events, learnt as the file grows, so that each line is read only once. */
export interface RecentIds {
  /** Returns the position to read from, to know the file's last `lookBack` bytes. Forgets the ids of any other file. */
  startFrom(size: number, inode: number, lookBack: number): number;
  /** Takes the bytes from that position to the end of the file. */
  learn(bytes: Buffer): void;
  has(id: string): boolean;
}

/** About five times as many as fit into a megabyte of events. The oldest are forgotten first. */
const LIMIT = 10_000;

export function createRecentIds(): RecentIds {
  let ids = new Set<string>();
  let inode: number | undefined;
  /** The file is known up to here, the end of a complete line. */
  let position = 0;

  function forget(): void {
    ids = new Set();
    position = 0;
  }

  return {
    startFrom(size, foundInode, lookBack) {
      // Another program has rotated or truncated the file.
      if (foundInode !== inode || size < position) forget();
      inode = foundInode;
      position = Math.max(position, size - lookBack);
      return position;
    },

    learn(bytes) {
      const end = bytes.lastIndexOf('\n') + 1;
      for (const text of bytes.toString('utf8', 0, end).split('\n')) {
        const id = idOf(text);
        if (id !== undefined) ids.add(id);
      }
      position += end;
      while (ids.size > LIMIT) ids.delete(ids.values().next().value ?? '');
    },

    has: (id) => ids.has(id),
  };
}

/** Undefined when the line is cut off at either end. */
function idOf(line: string): string | undefined {
  try {
    const event: unknown = JSON.parse(line);
    if (typeof event !== 'object' || event === null || !('id' in event)) return undefined;
    return typeof event.id === 'string' ? event.id : undefined;
  } catch {
    return undefined;
  }
}
