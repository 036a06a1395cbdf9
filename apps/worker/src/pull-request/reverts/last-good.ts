import { defined } from '@nereid/domain/defined';
import { shortSha, type DeploymentRecord, type Revision } from '@nereid/domain/deployment';
import type { WorkerContext } from '../../platform/context.ts';

/** The last revision that was applied to a root with success. */
export interface LastGood {
  readonly revision: Revision;
  /** Not deployed by hand: its position is on the branch. */
  readonly isOnBranch: boolean;
  /** ISO 8601; absent where its record is gone. */
  readonly deployedAt?: string;
  /** From which it was deployed by hand. */
  readonly pullRequest?: number;
}

/** That before a failed apply, by what only control writes; or why there is none to go back to. */
export async function lastGood(
  { laneTurns, deploymentRecords }: Pick<WorkerContext, 'laneTurns' | 'deploymentRecords'>,
  { repository, deployment: failed }: DeploymentRecord,
): Promise<LastGood | string> {
  const { name } = failed.root;
  const turn = await laneTurns.read(repository, name);
  if (turn?.last?.deployment.id !== failed.id) return `another deployment of ${name} was applied since`;
  const { deployed } = turn;
  if (deployed === undefined) return `nothing is known to have been applied to ${name} with success before`;
  if (deployed.revision.sha === failed.revision.sha)
    return `${shortSha(failed.revision.sha)} was applied with success before`;
  const record = await deploymentRecords.find(repository, name, deployed.id);
  const { endedAt: deployedAt } = record ?? {};
  const { pullRequest } = record?.deployment ?? {};
  const isOnBranch = deployed.trigger === 'merge' || deployed.rerun;
  return { revision: deployed.revision, isOnBranch, ...defined({ deployedAt, pullRequest }) };
}
