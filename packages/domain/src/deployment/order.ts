import { defined } from '../defined.ts';
import type { Repository } from '../root/repository.ts';
import type { Deployment } from './model.ts';

/** The parts of a deployment that never change after it was ordered. */
export type Ordered = Pick<
  Deployment,
  | 'id'
  | 'requestId'
  | 'root'
  | 'revision'
  | 'trigger'
  | 'rerun'
  | 'force'
  | 'requestedBy'
  | 'requestedById'
  | 'pullRequest'
  | 'preview'
  | 'formerly'
  | 'reviewed'
  | 'rollout'
  | 'orderedAt'
  | 'installationId'
>;

/** As what an order is signed. The order of a preview is another thing: nobody gives permission to apply for it. */
export function orderKind({ trigger }: Pick<Ordered, 'trigger'>): 'order' | 'preview' {
  return trigger === 'preview' ? 'preview' : 'order';
}

/** What intake signs: that this revision may be deployed to this root, or planned, and who asked for it. */
export function orderFacts(repository: Repository, ordered: Ordered): object {
  const { owner, name, installationId } = orderedIn(repository, ordered);
  const { id, requestId, root, revision, trigger, rerun, force } = ordered;
  const { requestedBy, requestedById, pullRequest, preview, formerly, reviewed, rollout, orderedAt } = ordered;
  const request = { id, requestId, root, revision, trigger, rerun, force, requestedBy, requestedById };
  const more = { pullRequest, preview, formerly, reviewed, rollout, orderedAt };
  return { repository: { owner, name, installationId }, ...request, ...more };
}

/** The repository as it was ordered. `known` is what a workflow knows of it, which may have an older number. */
export function orderedIn(known: Repository, order: Pick<Ordered, 'installationId'>): Repository {
  return { ...known, installationId: order.installationId ?? known.installationId };
}

/** The rest of what intake signed, besides the facts that a host uses. */
export interface Order extends Pick<
  Deployment,
  | 'requestId'
  | 'trigger'
  | 'rerun'
  | 'force'
  | 'requestedById'
  | 'pullRequest'
  | 'preview'
  | 'formerly'
  | 'reviewed'
  | 'rollout'
  | 'orderedAt'
  | 'installationId'
> {
  /** Intake's, over `orderFacts`. */
  readonly signature?: string;
}

/** The parts of an order that a host only passes on. */
export function orderOf(deployment: Deployment): Order {
  const { requestId, trigger, rerun, force, requestedById, pullRequest, preview } = deployment;
  const { formerly, reviewed, rollout, orderedAt, installationId, order } = deployment;
  return {
    requestId,
    trigger,
    rerun,
    force,
    ...defined({
      requestedById,
      pullRequest,
      preview,
      formerly,
      reviewed,
      rollout,
      orderedAt,
      installationId,
      signature: order,
    }),
  };
}
