/** Where a lane stands, by what storage knows of its applies. */
import type { TakenTurn } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { BegunApply } from '@nereid/domain/deployment';
import type { WorkerContext } from '../../platform/context.ts';

const NEVER_APPLIED = 'never applied';

/** Two equal positions have no apply between them. Undefined while nobody knows what the state is. */
export async function lanePosition(
  { laneTurns, begunApplies }: Pick<WorkerContext, 'laneTurns' | 'begunApplies'>,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
): Promise<string | undefined> {
  const last = (await laneTurns.read(repository, rootName))?.last;
  return positionOf(last, last && (await begunApplies.of(last.pool).read(last.deployment.id)));
}

/** The marker belongs to the last turn. */
export function positionOf(last: TakenTurn | undefined, marker: BegunApply | undefined): string | undefined {
  if (last === undefined) return NEVER_APPLIED;
  const { id } = last.deployment;
  if (marker === undefined || marker.overtakenBy !== undefined) return `${id} did not begin`;
  const { outcome } = marker;
  return outcome === undefined || outcome.kind === 'unknown' ? undefined : `${id} ${outcome.kind}`;
}
