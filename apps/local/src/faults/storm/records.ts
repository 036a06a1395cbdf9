/** Reads the records of the storm's lanes and deployments from storage. */
import type { Deployment } from '@nereid/domain/deployment';
import type { SkippedSoak } from '@nereid/domain/gates';
import type { LaneRecord } from '@nereid/domain/lane';
import type { Rollout } from '@nereid/domain/rollout';
import type { Stack } from '../../stack/stack.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { STORM_NAME } from './storm-repository.ts';

export interface StoredStorm {
  readonly lanes: readonly LaneRecord[];
  /** Only deployments that ended. */
  readonly deployments: readonly EndedDeployment[];
  readonly rollouts: readonly Rollout[];
  /** The waves that somebody skipped. */
  readonly skipped: readonly Pick<SkippedSoak, 'rollout' | 'wave'>[];
}

export interface EndedDeployment extends Deployment {
  /** ISO 8601. */
  readonly endedAt: string;
}

export async function readRecords({ storage, folders }: Stack): Promise<StoredStorm> {
  const keys = (await storage.recordKeys()).filter((key) => key.includes(`/${STORM_NAME}/`));
  const read = async (key: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folders.storage, key), 'utf8'));
  const below = (prefix: string) => keys.filter((key) => key.startsWith(prefix) && key.endsWith('.json'));
  const [lanes, deployments, rollouts, skips] = await Promise.all([
    Promise.all(keys.filter((key) => key.startsWith('lanes/')).map(read)),
    Promise.all(keys.filter((key) => /\/\d{8}T\d{9}Z-[^/]*\.json$/.test(key)).map(read)),
    Promise.all(below('rollouts/').map(read)),
    Promise.all(below('rollout-skips/').map(read)),
  ]);
  const ended = deployments as { deployment: Deployment; endedAt: string }[]; // The worker wrote them, and all others.
  return {
    lanes: lanes as LaneRecord[],
    deployments: ended.map(({ deployment, endedAt }) => ({ ...deployment, endedAt })),
    rollouts: rollouts as Rollout[],
    skipped: (skips as { skipped: { body: SkippedSoak } }[]).map(({ skipped }) => skipped.body),
  };
}
