/** Reads the records of the storm's lanes and deployments from storage. */
import type { Deployment } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import type { Stack } from '../../stack/stack.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { STORM_NAME } from './storm-repository.ts';

export interface StoredStorm {
  readonly lanes: readonly LaneRecord[];
  /** Only deployments that ended. */
  readonly deployments: readonly Deployment[];
}

export async function readRecords({ storage, folders }: Stack): Promise<StoredStorm> {
  const keys = (await storage.recordKeys()).filter((key) => key.includes(`/${STORM_NAME}/`));
  const read = async (key: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folders.storage, key), 'utf8'));
  const [lanes, deployments] = await Promise.all([
    Promise.all(keys.filter((key) => key.startsWith('lanes/')).map(read)),
    Promise.all(keys.filter((key) => /\/\d{8}T\d{9}Z-[^/]*\.json$/.test(key)).map(read)),
  ]);
  return {
    lanes: lanes as LaneRecord[], // The worker wrote them.
    deployments: (deployments as { deployment: Deployment }[]).map(({ deployment }) => deployment), // As above.
  };
}
