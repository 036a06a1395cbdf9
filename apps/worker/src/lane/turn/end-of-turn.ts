/** How a turn ended, and the lock that it left, by what storage knows. */
import { LONGEST_TIMEOUT_MS } from '@nereid/config';
import { hasEnded, type Lock, type BegunApply } from '@nereid/domain/deployment';
import { type Locking, hasHappened, lockAfter, lockWhenPopped, type EndOfTurn } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../../platform/context.ts';

export type TurnRecords = Pick<WorkerContext, 'laneTurns' | 'begunApplies' | 'deploymentRecords'>;

/** The lock of a lane by what storage knows, for whoever must not believe the lane; undefined when it has none. */
export async function lockByTurns(
  context: TurnRecords,
  repository: Repository,
  rootName: string,
): Promise<Lock | undefined> {
  const last = (await context.laneTurns.read(repository, rootName))?.last;
  if (last === undefined) return undefined;
  const { deployment, pool, at, lifted } = last;
  const marker = await context.begunApplies.of(pool).read(deployment.id);
  if (marker?.outcome === undefined && marker?.overtakenBy === undefined) {
    const record = await context.deploymentRecords.find(repository, rootName, deployment.id);
    // Until it has ended, a deployment by hand locks its lane already.
    if (record === undefined)
      return lifted === undefined ? lockWhenPopped(deployment, deployment.foundLock, at) : undefined;
  }
  return lockAfter(last, await endOf(context, repository, deployment, marker));
}

/** How the last turn ended. Throws while its apply is under way. */
export async function endOf(
  { deploymentRecords }: TurnRecords,
  repository: Repository,
  { id, root }: Locking,
  marker: BegunApply | undefined,
): Promise<EndOfTurn> {
  if (marker === undefined || marker.overtakenBy !== undefined) return NOT_BEGUN;
  if (marker.outcome !== undefined) return { status: STATUS[marker.outcome.kind], at: marker.endedAt ?? marker.at };
  // Its host could not tell storage, or is gone: then somebody waited for it, in vain.
  const record = await deploymentRecords.find(repository, root.name, id);
  if (record === undefined) {
    const at = overAt(marker);
    if (new Date().toISOString() < at) throw new NotItsTurnError(id, marker);
    // Storage lost the record, and the lane that would write it again.
    return { status: 'apply-outcome-unknown', at };
  }
  const { status } = record.deployment.progress;
  const isKnown = hasEnded(status) && hasHappened(status);
  return { status: isKnown ? status : 'apply-outcome-unknown', at: record.endedAt };
}

/** When an apply is over, whatever became of it, ISO 8601. */
export function overAt({ at }: Pick<BegunApply, 'at'>): string {
  return new Date(Date.parse(at) + OVER_AFTER_MS).toISOString();
}

/** No apply runs longer than `LONGEST_TIMEOUT_MS`; the rest is for its host to stop it, and to tell. */
const OVER_AFTER_MS = LONGEST_TIMEOUT_MS + 6 * 3_600_000;

const STATUS = { applied: 'succeeded', failed: 'apply-failed', unknown: 'apply-outcome-unknown' } as const;

const NOT_BEGUN: EndOfTurn = { status: 'cancelled', at: '' };

/** It passes: the other apply ends. */
export class NotItsTurnError extends Error {
  override readonly name = 'NotItsTurnError';
  readonly code = 'NOT_ITS_TURN';

  constructor(deploymentId: string, { hostId, at }: BegunApply) {
    super(`the apply of deployment ${deploymentId} began at ${at} on host ${hostId}, and has not ended`);
  }
}
