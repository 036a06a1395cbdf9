/** The lane that a person means: all of its name, or the name of a root alone, in a clone of its repository. */
import { parseLane, type LaneArgument } from '../arguments/names.ts';
import type { World } from '../world.ts';
import { gitIn } from './git.ts';

export const LANE_DETAILS = 'In a clone of its repository, the name of the root alone is enough.';

/** Throws a sentence when it is neither. */
export async function findLane(world: Pick<World, 'folder' | 'env'>, text: string): Promise<LaneArgument> {
  if (text.includes('/')) return parseLane(text);
  const url = await gitIn(world)('config', '--get', 'remote.origin.url');
  const repository = url === undefined ? undefined : repositoryIn(url);
  return parseLane(repository === undefined ? text : `${repository}/${text}`);
}

/** Of `git@github.com:acme/infra.git` and `https://github.com/acme/infra`. */
function repositoryIn(url: string): string | undefined {
  return /[/:]([^/:]+\/[^/:]+?)(?:\.git)?\/?$/.exec(url)?.[1];
}
