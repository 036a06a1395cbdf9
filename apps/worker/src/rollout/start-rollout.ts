/** Stores the order of deployments before their lanes hear of them. */
import { defined } from '@nereid/domain/defined';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { Together } from '@nereid/domain/deployment';
import {
  isOrdered,
  planRollout,
  planWaves,
  rolloutWithWaves,
  type OrderedRoot,
  type Ordering,
  type WaveRule,
} from '@nereid/domain/rollout';
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
  /** Of the server's file, in order. */
  readonly waves?: readonly WaveRule[];
  /** Those of the roots that cannot be deployed. Roots that wait for them are not started. */
  readonly stopped: readonly { readonly name: string }[];
  /** Deployments of earlier rollouts, which are not ordered again. */
  readonly unfinished: readonly OrderedRoot[];
  readonly isRerun: boolean;
  /** Several roots are shown together. A manual deployment of a pull request's head is not. */
  readonly isOfBranch: boolean;
}

export interface StartedRollout {
  readonly rootNames: ReadonlySet<string>;
  /** The part of their orders. */
  readonly ordered: { readonly rollout?: string; readonly together: Together };
}

/** In a merge of more roots, check runs of single roots are written only once a person is needed, or when it has ended. */
const FEW = 50;

/** A lane takes the requests of one source only once. */
export function requestIdOf(source: string, rootName: string): string {
  return `${source}:${rootName}`;
}

/** Undefined when a single root is deployed, and none waits for another. */
export async function startRollout(
  { rolloutRecords }: Pick<WorkerContext, 'rolloutRecords'>,
  rollout: NewRollout,
): Promise<StartedRollout | undefined> {
  const { repository, sha, source, ordering, roots, stopped, unfinished, isRerun, isOfBranch } = rollout;
  const deployed = roots.map(({ name }): OrderedRoot => {
    const requestId = requestIdOf(source, name);
    return { rootName: name, deploymentId: deploymentIdOf(laneWorkflowId(repository, name), { requestId }) };
  });
  const planned = planRollout(ordering, [...deployed, ...unfinished]);
  const earlier = isOfBranch && isRerun ? await rolloutRecords.ofRevision(repository, sha) : [];
  const isTogether = isOfBranch && (roots.length > 1 || earlier.length > 0);
  if (!isOrdered(planned) && !isTogether) return undefined;
  const ownWaves = isOfBranch && !isRerun ? planWaves(rollout.waves ?? [], planned) : [];
  const { owner, name } = repository;
  const stored = await rolloutRecords.write({
    version: 1,
    repository: { owner, name },
    id: `${sha}/${source}`,
    revision: sha,
    orderedAt: new Date().toISOString(),
    isRerun,
    roots: planned,
    ...(ownWaves.length > 0 && { waves: ownWaves }),
  });
  for (const root of stopped)
    await rolloutRecords.end(repository, stored.id, root.name, { kind: 'ended', status: 'refused' });
  const own = stored.roots.filter(({ deploymentId, of }) => deploymentId !== undefined && of === undefined);
  const { id: of } = stored;
  const waves = rolloutWithWaves([stored, ...earlier])?.id;
  return {
    rootNames: new Set(own.map(({ rootName }) => rootName)),
    ordered: {
      ...(isOrdered(stored.roots) && { rollout: of }),
      together: { rollout: of, ...(own.length > FEW && { isLarge: true }), ...defined({ waves }) },
    },
  };
}
