/** A person ended a deployment before its apply: storage knows that first, because what is told in Temporal can be lost there. */
import type { Deployment } from '@nereid/domain/deployment';
import { poolOf } from '@nereid/domain/root';
import type { WorkerContext } from '../../platform/context.ts';
import type { Revoked } from '../../platform/failures/overtaken.ts';

/** `kept`: nothing of the deployment will be applied any more. `begun`: its apply has begun already. */
export async function keepFromApply(
  { begunApplies }: Pick<WorkerContext, 'begunApplies'>,
  { id, root }: Pick<Deployment, 'id' | 'root'>,
  revoked: Revoked,
): Promise<'kept' | 'begun'> {
  const beginning = await begunApplies.of(poolOf(root)).overtake(id, revoked);
  return beginning.kind === 'begun' || beginning.marker.overtakenBy !== undefined ? 'kept' : 'begun';
}
