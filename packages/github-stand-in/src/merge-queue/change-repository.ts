import type { Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { settleQueues } from './settle-queues.ts';

/**
 * Runs a change of a repository, after the one before it, and then brings the repository's merge queues up to date with it.
 *
 * Every change that a merge queue depends on goes through here: of branches, pull requests, rules, check runs.
 */
export async function changeRepository<T>(world: World, repository: Repository, run: () => Promise<T>): Promise<T> {
  return world.serialise(`repository/${repository.id}`, async () => {
    const result = await run();
    await settleQueues(world, repository);
    return result;
  });
}
