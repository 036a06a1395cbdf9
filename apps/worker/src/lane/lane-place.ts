import { directoriesOf, type RootPlace } from '@nereid/config';
import type { LaneView } from '@nereid/domain/lane';
import type { Repository, Root } from '@nereid/domain/root';
import { viewLane } from './view-lane.ts';
import type { RevisionTools } from '../root/revision-tools.ts';

type InContext = Pick<RevisionTools, 'context'>;

/** A lane answers in milliseconds; a lane that does not takes up only one of these places. */
export const LANES_ASKED = { concurrency: 20 };

/**
 * How rules know a lane: by the directories of everything that it has deployed lately, and of the roots that a request found. A
 * repository that declares the root in another directory does not escape the rules for the one before.
 */
export async function lanePlace(
  call: InContext,
  repository: Repository,
  name: string,
  found: readonly Pick<Root, 'dir' | 'realDir'>[] = [],
): Promise<RootPlace> {
  const lane = await viewLane(call.context, repository, name);
  const known = lane === undefined ? [] : await rootsIn(call, repository, lane);
  const dirs = [...new Set([...found, ...known].flatMap(directoriesOf))];
  return dirs.length === 0 ? { name } : { name, dirs };
}

/** The lock may be older than all other deployments that the lane remembers. */
async function rootsIn(call: InContext, repository: Repository, lane: LaneView): Promise<readonly Root[]> {
  const { running, waiting, ended, lock, rootName } = lane;
  const known = [...(running ? [running] : []), ...waiting, ...ended];
  if (lock === undefined || known.some(({ id }) => id === lock.deploymentId)) return known.map(({ root }) => root);
  const holder = await call.context.deploymentRecords.find(repository, rootName, lock.deploymentId);
  return [...known, ...(holder ? [holder.deployment] : [])].map(({ root }) => root);
}
