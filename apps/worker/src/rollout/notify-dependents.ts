/** Tells the lanes that wait for a deployment to look again. */
import type { Deployment } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import { NAMED } from '@nereid/domain/rollout';
import pMap from 'p-map';
import { wakeLane } from '../lane/signal-lane.ts';
import type { WorkerContext } from '../platform/context.ts';
import { readRollout, type RolloutState } from './outcomes.ts';

type NotifyContext = Pick<WorkerContext, 'rolloutRecords' | 'deploymentRecords' | 'temporal' | 'logger'>;

/** A lane looks by itself every ten minutes. So the rest of a very large rollout goes on a little later. */
const NOTIFY_LIMIT = 500;

const AT_ONCE = 20;

/** Five hundred signals take a second. A deployment's end waits no longer for slow storage or a slow Temporal. */
const NOTIFY_TIMEOUT_MS = 10_000;

/** Never throws: what is not told now is found later. */
export async function notifyDependents(
  context: NotifyContext,
  repository: Repository,
  { root, rollout }: Pick<Deployment, 'root' | 'rollout'>,
): Promise<void> {
  if (rollout === undefined) return;
  const limit = AbortSignal.timeout(NOTIFY_TIMEOUT_MS);
  const options = { concurrency: AT_ONCE, signal: limit };
  try {
    const state = await readRollout(context, repository, rollout);
    const dependents = state.graph.isAwaitedBy(root.name);
    const hasNews = await pMap(dependents, ({ rootName }) => hasNewsFor(state, rootName), options);
    const interested = dependents.filter((_one, index) => hasNews[index]).slice(0, NOTIFY_LIMIT);
    await pMap(
      interested,
      ({ rootName }) => wakeLane(context, repository, rootName, { withinMs: NOTIFY_TIMEOUT_MS }),
      options,
    );
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), root: root.name, rollout };
    context.logger.warn(fields, 'lanes that wait for a deployment could not be told: they look by themselves later');
  }
}

/** One more or less of many that it waits for is no news: it can go, or cannot, or names those that are left. */
async function hasNewsFor({ graph, outcomeOf }: RolloutState, rootName: string): Promise<boolean> {
  let open = 0;
  for (const root of graph.waitsFor(rootName)) {
    const { kind } = await outcomeOf(root);
    if (kind === 'failed') return true;
    if (kind === 'open') open += 1;
  }
  return open <= NAMED;
}
