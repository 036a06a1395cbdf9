/** The ids of the last events of a file, learnt as the file grows, so that each line is read once. */
export interface RecentIds {
  /** From where to read, so as to know the file's last `lookBack` bytes; what was learnt of another file is forgotten. */
  startFrom(size: number, inode: number, lookBack: number): number;
  /** Takes the bytes from there to the file's end. */
  learn(bytes: Buffer): void;
  has(id: string): boolean;
}

/** About as many as fit into a megabyte of events, times five; older ones are forgotten first. */
const LIMIT = 10_000;

export function createRecentIds(): RecentIds {
  let ids = new Set<string>();
  let inode: number | undefined;
  /** Up to here the file is known; the end of a whole line. */
  let position = 0;

  function forget(): void {
    ids = new Set();
    position = 0;
  }

  return {
    startFrom(size, foundInode, lookBack) {
      // Rotated or cut by somebody else.
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

/** Undefined for a line that is cut off at either end. */
function idOf(line: string): string | undefined {
  try {
    const event: unknown = JSON.parse(line);
    if (typeof event !== 'object' || event === null || !('id' in event)) return undefined;
    return typeof event.id === 'string' ? event.id : undefined;
  } catch {
    return undefined;
  }
}
