/** The applies that a stop does not hold, and what its answer says of them. */
import type { Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { listNames } from '../../../platform/list-names.ts';
import type { WorkerContext } from '../../../platform/context.ts';

export interface TurnContext {
  readonly laneTurns: Pick<WorkerContext['laneTurns'], 'read'>;
}

/** Whether the deployment that is under way in this lane is applied, or has permission to begin. */
export async function mayApply(
  { laneTurns }: TurnContext,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
  running: Pick<Deployment, 'id'>,
): Promise<boolean> {
  const turn = await laneTurns.read(repository, rootName);
  return turn?.last?.deployment.id === running.id;
}

/** A clause. Everything else that is under way waits before its apply. */
export function describeApplies(names: readonly string[]): string {
  if (names.length === 0) return 'no apply runs, and none has permission to begin';
  return `these applies go on, or begin within ten minutes: ${listNames(names)}`;
}
