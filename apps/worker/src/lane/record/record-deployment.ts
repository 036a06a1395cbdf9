/** Stores that a deployment ended, and the name by which its root was deployed. */
import { hasEnded, type DeploymentRecord } from '@nereid/contracts';
import { hasHappened } from '@nereid/lane';
import type { WorkerContext } from '../../context.ts';
import { placeOfRoot } from '../../place-of-root.ts';

export type RecordContext = Pick<WorkerContext, 'deploymentRecords' | 'rolloutRecords' | 'rootPlaces'>;

export async function recordDeployment(context: RecordContext, record: DeploymentRecord): Promise<void> {
  await recordInRollout(context, record);
  await context.deploymentRecords.write(record);
  await rememberName(context, record);
}

/** Before its own record: whoever finds that the deployment has ended finds it there, too. */
async function recordInRollout(
  { rolloutRecords }: RecordContext,
  { repository, deployment: { root, rollout, progress, carrier } }: DeploymentRecord,
): Promise<void> {
  const { status } = progress;
  if (rollout === undefined || !hasEnded(status)) return;
  const end = carrier
    ? { kind: 'carried' as const, deploymentId: carrier.deploymentId }
    : { kind: 'ended' as const, status };
  await rolloutRecords.end(repository, rollout, root.name, end);
}

/** A place goes by its newest name. It takes another one only once a person has approved a plan under that. */
async function rememberName(
  { rootPlaces }: RecordContext,
  { repository, deployment: { root, formerly, progress } }: DeploymentRecord,
): Promise<void> {
  const { status, review } = progress;
  if (!hasEnded(status) || !hasHappened(status)) return;
  if (formerly !== undefined && review?.answer !== 'approved') return;
  await rootPlaces.add(placeOfRoot(repository, root), root.name);
}
