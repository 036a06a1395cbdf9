/** Stores the order of deployments before their lanes hear of them. */
import { laneWorkflowId } from '@nereid/domain/lane';
import { type Ordering, planRollout, type OrderedRoot } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';
import { deploymentIdOf } from '../lane/order-deployment.ts';

export interface NewRollout {
  readonly repository: Repository;
  readonly sha: string;
  /** The same for all attempts. */
  readonly source: string;
  readonly ordering: Ordering;
  readonly roots: readonly { readonly name: string }[];
  /** Those of the roots that cannot be deployed. Roots that wait for them are not started. */
  readonly stopped: readonly { readonly name: string }[];
  /** Deployments of earlier rollouts, which are not ordered again. */
  readonly unfinished: readonly OrderedRoot[];
  readonly isRerun: boolean;
}

export interface StartedRollout {
  readonly id: string;
  readonly rootNames: ReadonlySet<string>;
}

/** A lane takes the requests of one source only once. */
export function requestIdOf(source: string, rootName: string): string {
  return `${source}:${rootName}`;
}

/** Undefined when none of the roots waits for another. */
export async function startRollout(
  { rolloutRecords }: Pick<WorkerContext, 'rolloutRecords'>,
  { repository, sha, source, ordering, roots, stopped, unfinished, isRerun }: NewRollout,
): Promise<StartedRollout | undefined> {
  const deployed = roots.map(({ name }): OrderedRoot => {
    const requestId = requestIdOf(source, name);
    return { rootName: name, deploymentId: deploymentIdOf(laneWorkflowId(repository, name), { requestId }) };
  });
  const planned = planRollout(ordering, [...deployed, ...unfinished]);
  if (planned === undefined) return undefined;
  const { owner, name } = repository;
  const stored = await rolloutRecords.write({
    version: 1,
    repository: { owner, name },
    id: `${sha}/${source}`,
    revision: sha,
    orderedAt: new Date().toISOString(),
    isRerun,
    roots: planned,
  });
  for (const root of stopped)
    await rolloutRecords.end(repository, stored.id, root.name, { kind: 'ended', status: 'refused' });
  const own = stored.roots.filter(({ deploymentId, of }) => deploymentId !== undefined && of === undefined);
  return { id: stored.id, rootNames: new Set(own.map(({ rootName }) => rootName)) };
}
