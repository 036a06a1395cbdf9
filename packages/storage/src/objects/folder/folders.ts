import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Folders below the top of a store, made when first needed. */
export interface Folders {
  make(folder: string, options: { readonly synced: boolean }): Promise<void>;
}

/**
 * A file is only as durable as the folders that lead to it. They are synced once per process, even when they exist: the
 * process that made them may have died before it synced them.
 */
export function createFolders(top: string): Folders {
  const known = new Set<string>();

  return {
    async make(folder, { synced }) {
      const created = await mkdir(folder, { recursive: true, mode: 0o750 });
      if (!synced || (created === undefined && known.has(folder))) return;
      for (let child = folder; child.length >= top.length; child = dirname(child)) await syncFolder(dirname(child));
      known.add(folder);
    },
  };
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
